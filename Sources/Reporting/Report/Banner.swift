package import APNS
package import JSONText
internal import PlainText

/// An alert as the lock screen shows it: title and subtitle on a line each, a few lines of text,
/// and the rest cut off. The space varies with device and settings.
package struct Banner: Equatable {
  /// The approximate width of a line on an iPhone, in terminal columns.
  package static let columns = 40
  /// The approximate number of text lines an iPhone shows before the alert is opened.
  static let bodyLines = 4

  /// The alert's lines, safe to print; nil or empty where the alert has none.
  package var title: String?
  package var subtitle: String?
  package var body: [String]

  /// The banner of a payload; nil when it has no text to show.
  package init?(_ payload: JSON) {
    guard let alert = AlertText(payload) else { return nil }
    self.init(alert)
  }

  /// The banner of an alert.
  package init(_ alert: AlertText) {
    title = alert.title.map(Self.oneLine)
    subtitle = alert.subtitle.map(Self.oneLine)
    body = alert.body.map(Self.lines) ?? []
  }

  private static func oneLine(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let (line, rest) = cut(Substring(words.printable), at: columns)
    return rest.isEmpty ? line : ellipsized(line)
  }

  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      lines += wrapped(paragraph.printable)
      if lines.count > bodyLines { break }
    }
    guard lines.count > bodyLines else { return lines }
    return lines[..<(bodyLines - 1)] + [ellipsized(lines[bodyLines - 1])]
  }

  /// The text on lines, at most one more than there is room for.
  private static func wrapped(_ paragraph: String) -> [String] {
    var lines: [String] = []
    var rest = Substring(paragraph)
    repeat {
      let (line, next) = cut(rest, at: columns)
      lines.append(line)
      rest = next
    } while !rest.isEmpty && lines.count <= bodyLines
    return lines
  }

  /// Cuts a line off the text, between words if possible, and returns the rest.
  private static func cut(_ text: Substring, at limit: Int) -> (line: String, rest: Substring) {
    var width = 0
    var end = text.startIndex
    while end < text.endIndex, width + text[end].columns <= limit {
      width += text[end].columns
      end = text.index(after: end)
    }
    if end == text.endIndex { return (String(text), "") }
    if text[end] != " ", let space = text[..<end].lastIndex(of: " ") { end = space }
    return (String(text[..<end]), text[end...].drop { $0 == " " })
  }

  private static func ellipsized(_ line: String) -> String {
    cut(Substring(line), at: columns - 1).line + "…"
  }
}
