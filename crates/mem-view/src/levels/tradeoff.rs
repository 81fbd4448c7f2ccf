//! The tradeoff between device memory and time: as a table, as JSON, and as a picture.

use std::fmt::Write as _;

use mem_model::Bytes;
use serde_json::{Value, json};

use super::escaped;

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
            self.name,
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
        const SIZE: (f64, f64) = (640.0, 400.0);
        const MARGIN: (f64, f64, f64, f64) = (70.0, 40.0, 40.0, 60.0);
        let (left, top, right, bottom) = MARGIN;
        let (width, height) = (SIZE.0 - left - right, SIZE.1 - top - bottom);
        let ran = self
            .points
            .iter()
            .filter_map(|point| Some((point.budget.get() as f64, self.ratio(point.makespan?))));
        let ran: Vec<(f64, f64)> = ran.collect();
        let most = ran.iter().map(|(_, ratio)| *ratio).fold(1.05, f64::max);
        let end = self.peak.get().max(1) as f64;
        let x = |bytes: f64| left + width * (bytes / end).min(1.0);
        let y = |ratio: f64| top + height * (1.0 - (ratio - 1.0) / (most - 1.0));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>@{}: time against budget</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{left}\" y=\"22\" font-size=\"15\">@{}: modelled time over the ideal, by budget</text>\n",
            SIZE.0,
            SIZE.1,
            escaped(&self.name),
            escaped(&self.name)
        );
        for tick in 0..=4 {
            let part = f64::from(tick) / 4.0;
            let ratio = 1.0 + part * (most - 1.0);
            let bytes = Bytes::new((part * end) as u64);
            let _ = write!(
                svg,
                "<line x1=\"{left}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{ratio:.2}</text>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
                left + width,
                y(ratio),
                y(ratio),
                left - 8.0,
                y(ratio) + 4.0,
                x(part * end),
                top + height + 18.0,
                bytes.human()
            );
        }
        let widest = x(self.widest.get() as f64);
        let _ = write!(
            svg,
            "<line x1=\"{widest:.1}\" x2=\"{widest:.1}\" y1=\"{top}\" y2=\"{:.1}\" stroke=\"#b00\" stroke-dasharray=\"4 3\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#b00\">widest step, {}</text>\n",
            top + height,
            widest + 4.0,
            top + 12.0,
            self.widest.human()
        );
        let least = self.points.iter().filter(|point| point.makespan.is_some());
        let least = least.map(|point| (point.budget.get() as f64, self.ratio(point.least)));
        let least: Vec<(f64, f64)> = least.collect();
        let line = |points: &[(f64, f64)]| {
            let each = points.iter();
            let each = each.map(|(bytes, ratio)| format!("{:.1},{:.1}", x(*bytes), y(*ratio)));
            each.collect::<Vec<String>>().join(" ")
        };
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#888\" stroke-dasharray=\"2 3\"/>\n\
             <polyline points=\"{}\" fill=\"none\" stroke=\"#1565c0\" stroke-width=\"2\"/>\n",
            line(&least),
            line(&ran)
        );
        if let Some((bytes, ratio)) = least.first() {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#888\" font-size=\"11\">no plan is below</text>",
                x(*bytes) + 4.0,
                y(*ratio) - 5.0
            );
        }
        for (bytes, ratio) in &ran {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"#1565c0\"><title>{}: {ratio:.3}</title></circle>",
                x(*bytes),
                y(*ratio),
                Bytes::new(*bytes as u64).human()
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">bytes of the device for what is planned</text>\n</svg>\n",
            left + width / 2.0,
            SIZE.1 - 14.0
        );
        svg
    }
}
