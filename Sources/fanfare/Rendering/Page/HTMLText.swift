internal import PlainText

extension StringProtocol {
  /// The text as HTML that shows it and does nothing else, in an element or a quoted attribute.
  /// What a terminal would obey, or what turns the writing direction, is shown by its number.
  var html: String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: scalar.printable
      }
    }.joined()
  }
}
