"""Which layers a page draws: of other programs, through forms and images, and by what paints."""

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from sitemap.plate.read import measure_plate
from tests.plate.test_read import bare_pdf, changed


@pytest.mark.parametrize(
    ("content", "drawn"),
    [
        # lines of their own, as ours are: found without parsing what they draw
        (b"/OC /A BDC\n0 0 m 9 9 l\nS\nEMC\n/OC /B BDC\n0 0 m\nn\nEMC", {"Roads"}),
        (b"/OC /A BDC\n/OC /B BDC\n0 0 m 9 9 l\nS\nEMC\nEMC", {"Roads", "Wetlands"}),
        (b"/OC /A BDC\n1 0 0 RG\n/OC /B BDC\n0 0 5 5 re\nf*\nEMC\n0 0 m\nEMC",
         {"Roads", "Wetlands"}),
        (b"/OC /A BDC\nBT <53> Tj ET\nEMC\n/OC /B BDC\nEMC", {"Roads"}),
        # not so: a mark within a line, an operator within a string, a name that ends like one
        (b"/OC /A BDC 0 0 m 9 9 l S EMC /OC /B BDC 0 0 m n EMC", {"Roads"}),
        (b"/OC /B BDC\n(\nS\n) pop\nEMC\n/OC /A BDC\n0 0 m 9 9 l\nS\nEMC", {"Roads"}),
        (b"/OC /A BDC\n0 0 m 9 9 l S\nEMC\n/OC /B BDC\n/S gs\nEMC", {"Roads"}),
    ],
)  # fmt: skip
def test_a_layer_is_drawn_when_something_paints_in_it(tmp_path, content, drawn):
    def layered(pdf):
        groups = {
            key: pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(name)))
            for key, name in (("/A", "Roads"), ("/B", "Wetlands"))
        }
        pdf.pages[0].Resources = Dictionary(Properties=Dictionary(groups))

    path = changed(bare_pdf(tmp_path / "bare.pdf", content=content), tmp_path / "oc.pdf", layered)
    (page,) = measure_plate(path).pages
    assert set(page.drawn_layers) == drawn


def test_layers_of_other_programs(tmp_path):
    """Groups around forms, on forms, in forms, by membership; an empty one is not drawn."""
    with pikepdf.new() as pdf:
        pdf.add_blank_page(page_size=(200, 200))
        names = ("Around", "On form", "In form", "Member", "Empty", "Image")
        groups = {n: pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(n))) for n in names}
        member = Dictionary(Type=Name.OCMD, OCGs=Array([groups["Member"]]))
        form = pdf.make_stream(
            b"/OC /A BDC 0 0 m 9 9 l S EMC /OC /B BDC 0 0 5 5 re f EMC",
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=Array([0, 0, 200, 200]),
            OC=groups["On form"],
            Resources=Dictionary(Properties=Dictionary(A=groups["In form"], B=member)),
        )
        image = pdf.make_stream(
            b"\x00",
            Type=Name.XObject,
            Subtype=Name.Image,
            Width=1,
            Height=1,
            BitsPerComponent=8,
            ColorSpace=Name.DeviceGray,
            OC=groups["Image"],
        )
        page = pdf.pages[0]
        page.Resources = Dictionary(
            XObject=Dictionary(F=form, I=image),
            Properties=Dictionary(C=groups["Around"], E=groups["Empty"]),
        )
        page.Contents = pdf.make_stream(b"/OC /C BDC /F Do EMC /OC /E BDC q Q EMC /I Do")
        pdf.Root.OCProperties = Dictionary(OCGs=Array(list(groups.values())), D=Dictionary())
        pdf.save(tmp_path / "p.pdf")
    plate = measure_plate(tmp_path / "p.pdf")
    assert plate.layers == names
    assert set(plate.pages[0].drawn_layers) == set(names) - {"Empty"}
