//! The tradeoff between device memory and time: as a table, as JSON, and as a picture.

use std::fmt::Write as _;

use mem_model::Bytes;
use serde_json::{Value, json};

use super::escaped;
use crate::printable;

/// Version of the JSON document.
const VERSION: u32 = 1;

/// A program planned with one budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TradeoffPoint {
    /// Bytes of the device available to the program's own tensors.
    pub budget: Bytes,
    /// Lower bound on the makespan, in modelled cycles.
    pub least: u64,
    /// Makespan in modelled cycles; `None` if the program does not run with this budget.
    pub makespan: Option<u64>,
    /// Number of bytes copied, each copy counted once.
    pub copied: Bytes,
    /// Number of repeated steps.
    pub n_repeated: usize,
}

impl TradeoffPoint {
    fn json(&self) -> Value {
        let ran = self.makespan.is_some();
        json!({
            "budget": self.budget.get(),
            "makespan": self.makespan,
            "least": ran.then_some(self.least),
            "copied": ran.then(|| self.copied.get()),
            "repeated": ran.then_some(self.n_repeated),
        })
    }
}

/// The tradeoff curve of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tradeoff {
    /// Name of the function.
    pub name: String,
    /// Makespan without a limit, in cycles.
    pub ideal: u64,
    /// Peak without a limit, in bytes.
    pub peak: Bytes,
    /// Bytes that the widest step needs even if every other tensor is evicted.
    pub widest: Bytes,
    /// Points by ascending budget.
    pub points: Vec<TradeoffPoint>,
}

impl Tradeoff {
    fn ratio(&self, makespan: u64) -> f64 {
        makespan as f64 / self.ideal.max(1) as f64
    }

    /// Returns a table with one line per budget.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "@{}: {} without a limit, in {} cycles; its widest step needs {}\n",
            printable(&self.name),
            self.peak.human(),
            self.ideal,
            self.widest.human()
        );
        text.push_str(
            "      budget  of peak        cycles  of ideal  at least        copied  repeated\n",
        );
        for point in &self.points {
            let part = 100.0 * point.budget.get() as f64 / self.peak.get().max(1) as f64;
            let _ = write!(text, "{:>12}  {part:>6.1}%", point.budget);
            let _ = match point.makespan {
                Some(makespan) => writeln!(
                    text,
                    "  {makespan:>12}  {:>8.3}  {:>8.3}  {:>12}  {:>8}",
                    self.ratio(makespan),
                    self.ratio(point.least),
                    point.copied,
                    point.n_repeated
                ),
                None => writeln!(text, "  does not run"),
            };
        }
        text
    }

    /// Returns one JSON object, indented, with a final newline. The schema is
    /// `schema/tradeoff.json`.
    #[must_use]
    pub fn json(&self) -> String {
        let points = self.points.iter().map(TradeoffPoint::json);
        let document = json!({
            "version": VERSION,
            "tool": "mem-opt",
            "function": self.name,
            "ideal": self.ideal,
            "peak": self.peak.get(),
            "widest": self.widest.get(),
            "points": points.collect::<Vec<_>>(),
        });
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Returns the curve as SVG: the budget on the x axis, the ratio of time to the ideal on the y
    /// axis.
    #[must_use]
    pub fn svg(&self) -> String {
        let ran = self.points.iter();
        let ran =
            ran.filter_map(|point| Some((point.budget.get() as f64, self.ratio(point.makespan?))));
        let ran: Vec<(f64, f64)> = ran.collect();
        let chart = Chart {
            bytes: self.peak.get().max(1) as f64,
            ratio: ran.iter().map(|(_, ratio)| *ratio).fold(1.05, f64::max),
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>@{}: time against budget</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">@{}: modelled time over the ideal, by budget</text>\n",
            SIZE.0,
            SIZE.1,
            escaped(&self.name),
            escaped(&self.name)
        );
        chart.add_ticks(&mut svg);
        chart.add_widest(&mut svg, self.widest);
        let least = self.points.iter().filter(|point| point.makespan.is_some());
        let least = least.map(|point| (point.budget.get() as f64, self.ratio(point.least)));
        chart.add_curves(&mut svg, &least.collect::<Vec<_>>(), &ran);
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">bytes of the device for what is planned</text>\n</svg>\n",
            LEFT + PLOT.0 / 2.0,
            SIZE.1 - 14.0
        );
        svg
    }
}

/// Width and height of the picture.
const SIZE: (f64, f64) = (640.0, 400.0);

/// Left edge of the plot.
const LEFT: f64 = 70.0;

/// Upper edge of the plot.
const TOP: f64 = 40.0;

/// Width and height of the plot.
const PLOT: (f64, f64) = (SIZE.0 - LEFT - 40.0, SIZE.1 - TOP - 60.0);

/// The axes of a curve.
struct Chart {
    /// Bytes at the right edge.
    bytes: f64,
    /// Ratio of time to the ideal at the upper edge; that at the lower edge is 1.
    ratio: f64,
}

impl Chart {
    fn x(&self, bytes: f64) -> f64 {
        LEFT + PLOT.0 * (bytes / self.bytes).min(1.0)
    }

    fn y(&self, ratio: f64) -> f64 {
        TOP + PLOT.1 * (1.0 - (ratio - 1.0) / (self.ratio - 1.0))
    }

    /// Adds grid lines with their ratios, and the budgets below the plot.
    fn add_ticks(&self, svg: &mut String) {
        for tick in 0..=4 {
            let part = f64::from(tick) / 4.0;
            let ratio = 1.0 + part * (self.ratio - 1.0);
            let bytes = Bytes::new((part * self.bytes) as u64);
            let _ = write!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{ratio:.2}</text>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
                LEFT + PLOT.0,
                self.y(ratio),
                self.y(ratio),
                LEFT - 8.0,
                self.y(ratio) + 4.0,
                self.x(part * self.bytes),
                TOP + PLOT.1 + 18.0,
                bytes.human()
            );
        }
    }

    /// Adds a line at the smallest budget that any plan needs.
    fn add_widest(&self, svg: &mut String, widest: Bytes) {
        let x = self.x(widest.get() as f64);
        let _ = write!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{:.1}\" stroke=\"#b00\" stroke-dasharray=\"4 3\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#b00\">widest step, {}</text>\n",
            TOP + PLOT.1,
            x + 4.0,
            TOP + 12.0,
            widest.human()
        );
    }

    /// Adds the curves of the lower bounds and of the plans.
    fn add_curves(&self, svg: &mut String, least: &[(f64, f64)], ran: &[(f64, f64)]) {
        let line = |points: &[(f64, f64)]| {
            let each = points.iter();
            let each =
                each.map(|(bytes, ratio)| format!("{:.1},{:.1}", self.x(*bytes), self.y(*ratio)));
            each.collect::<Vec<String>>().join(" ")
        };
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#888\" stroke-dasharray=\"2 3\"/>\n\
             <polyline points=\"{}\" fill=\"none\" stroke=\"#1565c0\" stroke-width=\"2\"/>\n",
            line(least),
            line(ran)
        );
        if let Some((bytes, ratio)) = least.first() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#888\" font-size=\"11\">no plan is below</text>",
                self.x(*bytes) + 4.0,
                self.y(*ratio) - 5.0
            );
        }
        for (bytes, ratio) in ran {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"#1565c0\"><title>{}: {ratio:.3}</title></circle>",
                self.x(*bytes),
                self.y(*ratio),
                Bytes::new(*bytes as u64).human()
            );
        }
    }
}
