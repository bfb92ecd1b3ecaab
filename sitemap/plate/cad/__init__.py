"""The plate for CAD: a DXF with the site in model space and a layout for each sheet."""
