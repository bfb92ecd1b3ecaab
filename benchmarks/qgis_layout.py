"""One ARCH D sheet from QGIS: labelled contours, boundary, grid, scale bar; run by QGIS's Python.

Arguments: a GeoPackage with contours_existing and boundary, the PDF to write, feet per inch.
"""

import sys

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsLayoutExporter,
    QgsLayoutItemMap,
    QgsLayoutItemMapGrid,
    QgsLayoutItemScaleBar,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLineSymbol,
    QgsPalLayerSettings,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsTextFormat,
    QgsUnitTypes,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)

INCH = 25.4
SHEET_IN, MAP_IN = (36.0, 24.0), (27.0, 20.0)


def main(data, out, feet_per_inch):
    app = QgsApplication([], False)
    app.initQgis()
    project = QgsProject()
    contours = QgsVectorLayer(f"{data}|layername=contours_existing", "contours", "ogr")
    boundary = QgsVectorLayer(f"{data}|layername=boundary", "boundary", "ogr")
    crs = QgsCoordinateReferenceSystem("EPSG:6609")
    project.setCrs(crs)
    contours.setRenderer(QgsSingleSymbolRenderer(QgsLineSymbol.createSimple({"width": "0.12"})))
    settings = QgsPalLayerSettings()
    settings.fieldName = "elevation"
    settings.placement = QgsPalLayerSettings.Curved
    text = QgsTextFormat()
    text.setSize(8)
    settings.setFormat(text)
    contours.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    contours.setLabelsEnabled(True)
    for layer in (contours, boundary):
        project.addMapLayer(layer)
    layout = _layout(project, [boundary, contours], boundary.extent().center(), feet_per_inch)
    done = QgsLayoutExporter(layout).exportToPdf(out, QgsLayoutExporter.PdfExportSettings())
    assert done == QgsLayoutExporter.Success, done
    del layout, contours, boundary, project
    app.exitQgis()


def _layout(project, layers, middle, feet_per_inch):
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    mm = QgsUnitTypes.LayoutMillimeters
    layout.pageCollection().page(0).setPageSize(QgsLayoutSize(*(v * INCH for v in SHEET_IN), mm))
    frame = QgsLayoutItemMap(layout)
    frame.attemptMove(QgsLayoutPoint(INCH, 2 * INCH, mm))
    frame.attemptResize(QgsLayoutSize(*(v * INCH for v in MAP_IN), mm))
    frame.setLayers(layers)
    half = [v * feet_per_inch / 2.0 for v in MAP_IN]
    frame.setExtent(QgsRectangle(middle.x() - half[0], middle.y() - half[1],
                                 middle.x() + half[0], middle.y() + half[1]))  # fmt: skip
    grid = QgsLayoutItemMapGrid("grid", frame)
    grid.setIntervalX(100.0)
    grid.setIntervalY(100.0)
    grid.setAnnotationEnabled(True)
    frame.grids().addGrid(grid)
    layout.addLayoutItem(frame)
    bar = QgsLayoutItemScaleBar(layout)
    bar.setLinkedMap(frame)
    bar.applyDefaultSize()
    bar.attemptMove(QgsLayoutPoint(INCH, 22.4 * INCH, mm))
    layout.addLayoutItem(bar)
    return layout


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
