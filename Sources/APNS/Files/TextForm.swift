/// A form of text in a user's file, and what is told of other text.
package struct TextForm: Sendable {
  /// The form, in words.
  let words: String
  /// The regular expression that a JSON Schema tells; nil for none.
  let pattern: String?
  let message: String
  let fix: String
  /// The fix for a value that is not text.
  let fixOfKind: String
  let fits: @Sendable (String) -> Bool

  /// Creates a form from the text that fits, and the problem with other text.
  package init(
    _ words: String, pattern: String? = nil, _ message: String, fix: String,
    fixOfKind: String = "Put it in quotes.", fits: @escaping @Sendable (String) -> Bool
  ) {
    (self.words, self.pattern, self.fits) = (words, pattern, fits)
    (self.message, self.fix, self.fixOfKind) = (message, fix, fixOfKind)
  }
}

extension FileShape {
  /// A duration such as `200ms` or `2s`, at most a day.
  package static let timeSpan = FileShape.form(
    TextForm(
      "a duration, such as \"200ms\" or \"2s\"", pattern: "^([0-9]+(ms|s|m|h|d))+$|^P[0-9DTHMS]+$",
      "This is not a duration.", fix: TimeSpan.formAdvice,
      fixOfKind: "Write a number with a unit in quotes, such as \"2s\"."
    ) { TimeSpan.milliseconds($0) != nil })

  /// The path of a file that holds a secret. The secret itself is rejected, without showing it.
  package static let secretPath = FileShape.form(
    TextForm(
      "a file path", "This is not a file path.",
      fix: "Keep the secret in a file or a variable, and give its name."
    ) { !$0.contains("-----BEGIN") && !$0.contains("\n") })

  /// A reason, which may be any that APNs could use.
  package static let reason = FileShape.form(
    TextForm(
      "a reason", pattern: "^[ -~]{1,\(Reason.maximumLength)}$", "This is not a reason.",
      fix: "Use 1 to \(Reason.maximumLength) printable ASCII characters."
    ) { Reason(rawValue: $0) != nil })
}
