//! A chart in layers, and its drawing.

use crate::Error;
use plotters::{
    prelude::*,
    series::{DashedLineSeries, LineSeries},
    style::text_anchor::{HPos, Pos, VPos},
};

/// Colours that everybody tells apart (M. Okabe, K. Ito, "Color Universal Design", 2008).
pub const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 120, 120),
];

const SIZE: (u32, u32) = (720, 540);

/// A layer, drawn over those before it.
pub enum Layer {
    Points {
        name: String,
        colour: RGBColor,
        points: Vec<(f64, f64)>,
    },
    Line {
        name: String,
        colour: RGBColor,
        points: Vec<(f64, f64)>,
    },
    /// A dashed line that other layers are compared with.
    Dashes {
        points: Vec<(f64, f64)>,
    },
    /// Rectangles by two opposite corners.
    Cells {
        cells: Vec<[(f64, f64); 2]>,
        colour: RGBColor,
    },
    Texts {
        texts: Vec<((f64, f64), String)>,
    },
}

/// Layers between axes.
pub struct Chart {
    pub title: String,
    pub x: String,
    pub y: String,
    pub layers: Vec<Layer>,
    /// The names at the ticks, if the ticks are no numbers.
    pub names: Option<Vec<String>>,
}

/// A colour from blue to orange, for a share from 0 to 1.
pub fn ramp(share: f64) -> RGBColor {
    let (a, b) = (COLOURS[0], COLOURS[4]);
    let mixed =
        |a: u8, b: u8| (f64::from(a) + share.clamp(0.0, 1.0) * (f64::from(b) - f64::from(a))) as u8;
    RGBColor(mixed(a.0, b.0), mixed(a.1, b.1), mixed(a.2, b.2))
}

/// A colour mixed with white; `share` is the share of the colour.
pub fn faded(colour: RGBColor, share: f64) -> RGBColor {
    let part = |part: u8| (255.0 - share * (255.0 - f64::from(part))) as u8;
    RGBColor(part(colour.0), part(colour.1), part(colour.2))
}

impl Chart {
    /// The chart as SVG.
    pub fn svg(&self) -> Result<String, Error> {
        let mut text = String::new();
        let drawn = self.draw(SVGBackend::with_string(&mut text, SIZE).into_drawing_area());
        drawn.map_err(|error| Error::Data(error.to_string()))?;
        Ok(text)
    }

    fn draw(
        &self,
        root: DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        root.fill(&WHITE)?;
        let [x, y] = self.ranges();
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(x, y)?;
        let tick = |value: &f64| match &self.names {
            None => npt_core::wording::number((value * 1e6).round() / 1e6 + 0.0).to_string(),
            Some(names) if value.fract() == 0.0 && *value >= 0.0 => {
                names.get(*value as usize).cloned().unwrap_or_default()
            }
            Some(_) => String::new(),
        };
        let ticks = self.names.as_ref().map_or(8, |names| 2 * names.len() + 1);
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(&self.x)
            .y_desc(&self.y)
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&tick)
            .y_label_formatter(&tick);
        mesh.x_labels(ticks).y_labels(ticks).draw()?;
        for layer in &self.layers {
            match layer {
                Layer::Points {
                    name,
                    colour,
                    points,
                } => {
                    let colour = *colour;
                    let dots = points
                        .iter()
                        .map(|&at| Circle::new(at, 3, colour.mix(0.75).filled()));
                    let drawn = chart.draw_series(dots)?;
                    if !name.is_empty() {
                        drawn
                            .label(name)
                            .legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
                    }
                }
                Layer::Line {
                    name,
                    colour,
                    points,
                } => {
                    let colour = *colour;
                    let drawn = chart.draw_series(LineSeries::new(
                        points.iter().copied(),
                        colour.stroke_width(2),
                    ))?;
                    if !name.is_empty() {
                        drawn.label(name).legend(move |(x, y)| {
                            PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2))
                        });
                    }
                }
                Layer::Dashes { points } => {
                    chart.draw_series(DashedLineSeries::new(
                        points.iter().copied(),
                        6,
                        5,
                        COLOURS[6].stroke_width(1),
                    ))?;
                }
                Layer::Cells { cells, colour } => {
                    let cells = cells
                        .iter()
                        .map(|&corners| Rectangle::new(corners, colour.filled()));
                    chart.draw_series(cells)?;
                }
                Layer::Texts { texts } => {
                    let middle = Pos::new(HPos::Center, VPos::Center);
                    let style = ("sans-serif", 13).into_font().color(&BLACK).pos(middle);
                    let texts = texts
                        .iter()
                        .map(|(at, text)| Text::new(text.clone(), *at, style.clone()));
                    chart.draw_series(texts)?;
                }
            }
        }
        if self.layers.iter().any(|layer| matches!(layer, Layer::Points { name, .. } | Layer::Line { name, .. } if !name.is_empty())) {
            let mut legend = chart.configure_series_labels();
            legend.background_style(WHITE.mix(0.8)).border_style(COLOURS[6]).draw()?;
        }
        root.present()?;
        Ok(())
    }

    /// The ranges of all layers, with some room around points.
    fn ranges(&self) -> [std::ops::Range<f64>; 2] {
        let mut ends = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        let mut has_cells = false;
        let mut take = |at: (f64, f64)| {
            for (ends, value) in ends.iter_mut().zip([at.0, at.1]) {
                if value.is_finite() {
                    *ends = (ends.0.min(value), ends.1.max(value));
                }
            }
        };
        for layer in &self.layers {
            match layer {
                Layer::Points { points, .. }
                | Layer::Line { points, .. }
                | Layer::Dashes { points } => points.iter().copied().for_each(&mut take),
                Layer::Cells { cells, .. } => {
                    has_cells = true;
                    cells.iter().flatten().copied().for_each(&mut take);
                }
                Layer::Texts { .. } => {}
            }
        }
        ends.map(|(low, high)| {
            if low > high {
                return 0.0..1.0;
            }
            let room = if has_cells { 0.0 } else { 0.03 * (high - low) };
            if high > low {
                low - room..high + room
            } else {
                low - 0.5..high + 0.5
            }
        })
    }
}
