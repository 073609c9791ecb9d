internal import Reporting
internal import Settings

/// The form in which the outcome of sending is printed.
package struct OutcomeForm: Sendable {
  /// The fields to print in JSON; nil for text.
  let fields: JSONFields?
  /// The outcome is not printed, because of `--quiet`, or because results take standard output.
  let isSilent: Bool

  init(_ settings: Settings) {
    fields = settings.json?.value
    isSilent = settings.quiet.isOn || settings.resultsTakeOutput
  }

  /// The outcome is printed for programs.
  var isJSON: Bool { fields != nil }
}
