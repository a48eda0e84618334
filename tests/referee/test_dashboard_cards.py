"""Every card has a drawing of its own, told by shape and letter as well as by colour, and a name to be read out."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.record.cards import COLOURS, FRENCH, JOKER, UNO, Card
from referee.record.observations import Landed
from referee.text.calls import card_name
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import PHONE, TABLET, Devices, serious, width

DRAW = """async (faces) => {
    const { card, cardName } = await import("/static/cards.js");
    const { make } = await import("/static/dom.js");
    const list = make("ul.follow", { id: "drawn" }, ...faces.map((face) => make("li", {}, card(face))));
    document.querySelector("main").replaceChildren(make("section.lesson", {}, list));
    return Object.fromEntries(faces.map((face, place) => {
        const drawn = list.children[place].firstChild;
        const shapes = [...drawn.querySelectorAll("use")].map((use) => use.getAttribute("href"));
        const cut = [...drawn.querySelectorAll(".corner, .pip")].some((part) => {
            const [own, whole] = [part.getBoundingClientRect(), drawn.getBoundingClientRect()];
            return own.width && (own.right > whole.right || own.bottom > whole.bottom || own.left < whole.left);
        });
        return [face, { shapes, text: drawn.innerText.split(/\\s+/).filter(Boolean), name: cardName(face), cut }];
    }));
}"""


def drawn(page: Page, cards: tuple[Card, ...]) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(DRAW, [card.name for card in cards])
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_uno_cards_are_told_apart_without_their_colour(
    table: LiveTable, devices: Devices, size: dict[str, int], scheme: str
) -> None:
    page = devices.open(table.dashboard.watch_url, size, color_scheme=scheme, bypass_csp=True)
    found = drawn(page, UNO)
    looks = {(tuple(look["shapes"]), tuple(look["text"])) for look in found.values()}
    assert len(looks) == len(UNO)
    for colour, letter in zip(COLOURS, "RYGB", strict=True):
        assert found[f"{colour}7"] | {"cut": False} == {
            "shapes": [f"#colour-{colour}"],
            "text": ["7", letter],
            "name": f"{ {'r': 'Red', 'y': 'Yellow', 'g': 'Green', 'b': 'Blue'}[colour] } 7",
            "cut": False,
        }
    assert found["gS"]["shapes"] == ["#sign-S", "#colour-g"]
    assert found["gR"]["shapes"] == ["#sign-R", "#colour-g"]
    assert found["W+4"]["shapes"] == [f"#colour-{colour}" for colour in "rygb"]
    assert (found["W"]["text"][0], found["W+4"]["text"][0]) == ("W", "+4")
    assert [face for face, look in found.items() if look["cut"]] == []
    assert serious(page) == []
    assert width(page) <= size["width"]


def test_every_card_is_called_alike_on_the_page_and_aloud(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.watch_url)
    names = {face: look["name"] for face, look in drawn(page, (*FRENCH, JOKER, *UNO)).items()}
    assert len(set(names.values())) == len(names)
    assert {card.name: card_name(card) for card in (JOKER, *UNO)} == {
        card.name: names[card.name] for card in (JOKER, *UNO)
    }
    assert [names[face] for face in ("Th", "b+2", "yS", "W+4", "Jk")] == [
        "10 of Hearts",
        "Blue draw two",
        "Yellow skip",
        "Wild, draw four",
        "Joker",
    ]


def test_a_doubtful_card_is_asked_for_with_its_drawing(table: LiveTable, devices: Devices, host: Page) -> None:
    six, nine = Card.of("6h"), Card.of("9h")
    table.notice(Landed(t=0, seat="A", card=None, source="eye", confidence=0.5, alternatives=((six, 0.5), (nine, 0.4))))
    choices = host.locator("#questions .choose")
    expect(choices).to_have_count(2)
    expect(choices.first.locator("use").first).to_have_attribute("href", "#suit-h")
    expect(choices.first).to_contain_text("6")
    choices.last.click()
    expect(host.locator("#record li").first).to_contain_text("Ana played 9♥")
