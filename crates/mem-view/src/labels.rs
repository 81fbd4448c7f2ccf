//! Names in pictures: each in the part of its rectangle that no later rectangle covers, as results that
//! are written in place cover a part of their operands. Names therefore do not overlap.

use std::fmt::Write as _;

use crate::levels::escaped;

/// Height of a line of text.
const LINE: f64 = 11.0;
/// Width of most letters. Fonts differ, so there is some room to spare.
const LETTER: f64 = 6.4;
/// Room between the edge of a rectangle and its name.
const MARGIN: f64 = 3.0;

/// A rectangle of a picture, in the order in which they are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rectangle<'a> {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
    pub(crate) name: &'a str,
}

impl Rectangle<'_> {
    /// The position of the name's left end and middle, if it has room.
    fn position(&self, later: &[Self]) -> Option<(f64, f64)> {
        let wide = LETTER * self.name.chars().count() as f64 + 2.0 * MARGIN;
        let (mut start, mut end) = (self.left, self.right);
        if self.bottom - self.top < LINE || end - start < wide {
            return None;
        }
        let middle = f64::midpoint(self.top, self.bottom);
        for own in later {
            let is_beside = own.bottom <= middle - LINE / 2.0 || middle + LINE / 2.0 <= own.top;
            if is_beside || own.right <= start || end <= own.left {
                continue;
            }
            // What is left is one side of the rectangle, the wider one.
            match own.left - start > end - own.right {
                true => end = own.left,
                false => start = own.right,
            }
        }
        (end - start >= wide).then_some((start + MARGIN, middle))
    }
}

/// Adds the names of rectangles to a picture. Takes time proportional to the number of rectangles that are
/// large enough for their names, times that of all rectangles.
pub(crate) fn add_labels(rectangles: &[Rectangle<'_>], text: &mut String) {
    for (index, own) in rectangles.iter().enumerate() {
        if let Some((x, y)) = own.position(&rectangles[index + 1..]) {
            // Writing to a string does not fail. The pointer is for the rectangle below, which has a title.
            let _ = writeln!(
                text,
                "<text x=\"{x:.1}\" y=\"{:.1}\" pointer-events=\"none\">{}</text>",
                y + 4.0,
                escaped(own.name)
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERAND: Rectangle<'_> = Rectangle {
        left: 0.0,
        top: 0.0,
        right: 60.0,
        bottom: 40.0,
        name: "operand",
    };

    #[test]
    fn a_name_is_beside_the_result_that_is_written_in_place() {
        let result = |left: f64, top: f64| Rectangle {
            left,
            top,
            right: left + 60.0,
            bottom: top + 40.0,
            name: "result",
        };
        let position = |later: &[Rectangle<'_>]| OPERAND.position(later);
        assert_eq!(position(&[]), Some((3.0, 20.0)));
        assert_eq!(position(&[result(55.0, 0.0)]), Some((3.0, 20.0)));
        assert_eq!(position(&[result(40.0, 0.0)]), None, "too little is left");
        assert_eq!(
            position(&[result(40.0, 30.0)]),
            Some((3.0, 20.0)),
            "below the name"
        );
        assert_eq!(position(&[result(-57.0, 0.0)]), Some((6.0, 20.0)));
        let low = Rectangle {
            bottom: 8.0,
            ..OPERAND
        };
        assert_eq!(low.position(&[]), None);
    }
}
