package import APNS
package import JSONText
internal import PlainText
internal import PushModel
package import Reporting
package import Settings

extension JSONFields {
  /// - Parameter listed: the columns of lists that are allowed besides the fields.
  /// - Throws: `Failure` for the first name that is not a field.
  package func refuseUnknown(
    among fields: @autoclosure () -> [JSONShape.Key], _ listed: [String] = []
  ) throws(Failure) {
    guard let names else { return }
    let known = fields().map(\.name) + listed
    for name in names where !known.contains(name) {
      throw .unknownField(name, of: "--json", among: known)
    }
  }
}

extension Settings {
  /// Results of pushes go to standard output.
  package var resultsTakeOutput: Bool { results?.value == "-" || template != nil }

  /// The list columns that are added to results.
  package var listed: [String] { columns?.value ?? [] }

  /// The template for printing each push; nil for none.
  ///
  /// - Parameter isOfStep: true for a push of a scenario.
  package func lineTemplate(isOfStep: Bool = false, _ context: Context) throws(Failure)
    -> LineTemplate?
  {
    guard let text = template?.value else { return nil }
    if text.isEmpty {
      throw Failure(
        "--template is empty.", fix: "Give a line of text, such as '{{token}} {{status}}'.")
    }
    let fields = ResultLine<PushResult>.columns(isOfStep: isOfStep, listing: listed)
    do throws(LineTemplateError) {
      return try LineTemplate(text, fields: fields, now: context.now)
    } catch {
      switch error {
      case .malformed(let message, let fix): throw Failure("--template: \(message)", fix: fix)
      case .unknownField(let name): throw .unknownField(name, of: "--template", among: fields)
      case .numberFilter:
        throw Failure(
          "--template: 'number' has no effect in a line of text.",
          fix: "Leave it out; 'default' supplies what is missing.")
      }
    }
  }
}

extension Failure {
  /// An unknown field of an output, with the known ones.
  static func unknownField(
    _ name: String, of option: String, among fields: [String]
  ) -> Failure {
    let question = Suggestion.question(Suggestion.near(name, among: fields))
    return Failure(
      "\(option): unknown field '\(name.printable)'.",
      fix: (question.map { $0 + " " } ?? "")
        + "The fields are: \(fields.joined(separator: ", ")).")
  }
}
