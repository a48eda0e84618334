"""Is what may be said complete, and is one source enough for grammar, help and test sentences?"""

from __future__ import annotations

import pytest

from speech.faults import SpeechError
from speech.hearing.recogniser import knows, load_model
from speech.vocabulary import GAMES, Vocabulary, expand

LISTS = {"suit": {"hearts": ["heart", "hearts"]}}


@pytest.mark.parametrize(
    ("template", "sentences"),
    [
        pytest.param("last card", {"last card"}, id="plain"),
        pytest.param("[i'm|i am] sorry", {"sorry", "i'm sorry", "i am sorry"}, id="optional"),
        pytest.param("(my|all my) apologies", {"my apologies", "all my apologies"}, id="alternatives"),
        pytest.param("[no] {suit}", {"heart", "hearts", "no heart", "no hearts"}, id="list"),
        pytest.param("(a [very] big|small) one", {"a big one", "a very big one", "small one"}, id="nested"),
    ],
)
def test_templates(template: str, sentences: set[str]) -> None:
    assert {text for text, _ in expand(template, LISTS)} == sentences


@pytest.mark.parametrize(
    ("game", "said", "means"),
    [
        ("uncle-baiting", "sorry", "sorry"),
        ("uncle-baiting", "i'm sorry", "sorry"),
        ("uncle-baiting", "last card", "last card"),
        ("uncle-baiting", "apology", "apologies"),
        ("uncle-baiting", "apologies", "apologies"),
        ("uncle-baiting", "diamonds i mean hearts", "diamonds, i mean, hearts"),
        ("uncle-baiting", "spade no club", "spades, no, clubs"),
        ("uncle-baiting", "sorry last card", "sorry, last card"),
        ("uncle-baiting", "in", "in"),
        ("uncle-baiting", "out", "out"),
        ("uncle-baiting", "you", "you"),
        ("uncle-baiting", "whose turn is it", "whose turn is it"),
        ("uncle-baiting", "what suit is it", "what suit"),
        ("bartog", "bar talk", "bartog"),
        ("bartog", "queen of hearts", "queen of hearts"),
        ("bartog", "snap", "snap"),
        ("bartog", "crackle", "crackle"),
        ("bartog", "beep", "beep"),
        ("blackjack", "club", "clubs"),
        ("uno", "uno", "uno"),
        ("uno", "red i mean blue", "red, i mean, blue"),
        ("all", "yellow", "yellow"),
        ("all", "ten of spades", "ten of spades"),
    ],
)
def test_what_is_said_means_what_the_rules_call_it(game: str, said: str, means: str) -> None:
    model = load_model()
    vocabulary, _ = Vocabulary.of(game).fitted(lambda word: knows(model, word))
    phrases = vocabulary.parse(said.split())
    assert phrases is not None
    assert ", ".join(phrase.means for phrase, _, _ in phrases) == means


@pytest.mark.parametrize("said", ["sorry about that", "queen of", "the last card", ""])
def test_what_is_no_sentence_of_the_game(said: str) -> None:
    assert not Vocabulary.of("uncle-baiting").parse(said.split())


@pytest.mark.parametrize("game", [*GAMES, "all"])
def test_recogniser_has_a_word_for_every_phrase(game: str) -> None:
    model = load_model()
    vocabulary = Vocabulary.of(game)
    fitted, _ = vocabulary.fitted(lambda word: knows(model, word))
    assert {phrase.text for phrase in fitted.phrases} == {phrase.text for phrase in vocabulary.phrases}
    assert all(knows(model, word) for line in fitted.grammar(300) if line != "[unk]" for word in line.split())


def test_words_a_model_lacks_are_helped_or_reported() -> None:
    have = {"vickie", "makes", "up", "silly", "rules", "snap", "dragon", "boat"}
    vocabulary = Vocabulary("bartog", ()).with_words("Vickie makes up silly rules!", "dragonboat", "zyx")
    fitted, reports = vocabulary.fitted(have.__contains__)
    assert [(phrase.text, phrase.words) for phrase in fitted.phrases] == [
        ("vickie makes up silly rules", ("vickie", "makes", "up", "silly", "rules")),
        ("dragonboat", ("dragon", "boat")),
    ]
    assert list(map(str, reports)) == [
        "the referee does not know the word 'dragonboat' and listens for dragon boat instead",
        "the referee cannot hear 'zyx': it does not know the word 'zyx'; tap it",
    ]


def test_added_words_count_only_while_waited_for_and_are_explained() -> None:
    vocabulary = Vocabulary.of("bartog").with_words("moo", "snap", purpose="with a six")
    added = vocabulary.phrases[-1]
    assert (added.text, added.context) == ("moo", True)
    assert added.purpose == "with a six"
    assert [phrase.text for phrase in vocabulary.phrases].count("snap") == 1


def test_word_that_cannot_be_spoken_is_refused() -> None:
    with pytest.raises(SpeechError, match="has no word in it"):
        Vocabulary.of("bartog").with_words("123")


def test_unknown_game() -> None:
    with pytest.raises(SpeechError, match="'bridge': choose uncle-baiting, bartog, blackjack, uno or all"):
        Vocabulary.of("bridge")


def test_grammar_has_decoys_that_are_no_words_of_the_game() -> None:
    vocabulary = Vocabulary.of("uncle-baiting")
    phrases, grammar = len(vocabulary.grammar(0)), vocabulary.grammar(50)
    assert len(grammar) == phrases + 50
    mine = {word for phrase in vocabulary.phrases for word in phrase.words}
    assert not mine & set(grammar[phrases - 1 : -1])
    assert grammar[-1] == "[unk]"
