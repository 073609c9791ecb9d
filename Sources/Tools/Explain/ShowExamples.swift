internal import APNS
package import JSONText
package import Reporting
internal import Runs
package import Settings

/// Lists the payloads built into the program, or prints one.
package struct ShowExamples {
  /// The example to print; nil for the list.
  let name: String?
  let asJSON: Bool
  let context: Context

  package init(name: String?, asJSON: Bool, context: Context) {
    (self.name, self.asJSON, self.context) = (name, asJSON, context)
  }

  /// - Throws: `Failure` if there is no example of that name.
  package func run() throws(Failure) -> Report {
    guard let name else { return list.asJSON(asJSON) }
    let example = try ExamplePayload.named(name)
    if asJSON {
      let parts = ExamplePayload.whole.parts(of: example)
      return Report(parts: parts, form: .object).asJSON(true)
    }
    return Report(parts: [.source(example.text)])
  }

  /// The examples by push type, in the order of the table of push types.
  private var list: Report {
    let all = PushType.table.map(\.type).map { type in
      (type: type, examples: ExamplePayload.all.filter { $0.pushType == type })
    }
    if asJSON {
      let elements = all.flatMap(\.examples).map(\.parts)
      return Report(parts: [.list(nil, elements)], form: .array)
    }
    let sections = all.map { type, examples -> Report.Part in
      .section("\(type.rawValue)", examples.map { .text("\($0.name)", "\($0.summary)") })
    }
    let hint: StyledText =
      "'fanfare example NAME' prints one, 'fanfare send --example NAME' sends it."
    return Report(parts: sections + [.lines([""]), .paragraph(hint)])
  }
}

extension ExamplePayload: JSONDescribed {
  /// An example in the list.
  package static let fields: [OutputField<Self>] = [
    .always("name", \.name, "The push type and a name."),
    .always("pushType", \.pushType?.rawValue, "The push type."),
    .always("summary", \.summary, "What it shows, in a sentence."),
  ]

  static let whole =
    fields + [.always("payload", { JSON.payload(Array($0.text.utf8)) }, "The payload.")]
}
