internal import APNS
internal import CommandLineKit
internal import JSONText
internal import PushCore

/// `fanfare inspect`
struct Inspect: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "inspect", "Tell what a payload or .apns file holds.",
    discussion: """
      Tells the size as sent against each limit, the push type, what Apple's keys in it mean, the \
      app's own keys, and about what the lock screen shows of it. 'fanfare check' tells what is \
      wrong with it.
      """,
    examples: [
      Example("fanfare inspect payloads/alert/order.json", "A payload."),
      Example("fanfare inspect --json hello.apns", "A simulator's file, for a script."),
    ])

  var files: [String] = []
  var json = false

  static let groups = [
    OptionGroup<Self>(
      "Inspect",
      [
        .arguments(
          "file", \.files, help: "Payloads and .apns files; '-' for standard input.",
          isRequired: true, completion: .file),
        .flag("json", \.json, help: "Print an array of JSON objects."),
      ])
  ]

  func run(_ context: Context) throws -> ExitCode {
    var found: [PayloadFacts] = []
    var failures: [Failure] = []
    for file in files {
      do throws(Failure) {
        found.append(try facts(file, context))
      } catch {
        failures.append(error)
      }
    }
    tell(found, failures, context)
    return failures.isEmpty ? .success : .usage
  }

  private func facts(_ file: String, _ context: Context) throws(Failure) -> PayloadFacts {
    var what = PayloadOptions()
    what.payload = file
    var assembly = DraftAssembly(what, HeaderOptions(), scenario: nil, context)
    assembly.isToBeSent = false
    assembly.presumedType = PushType(namedByFolderOf: file)
    let written = try assembly.draft()
    let template = Template(written, in: RuleContext(now: context.clock.epochSeconds))
    let isConstant = template?.names.isEmpty ?? false
    let draft = isConstant ? (try? template?.filled()) ?? written : written
    guard let json = draft.payload?.json, json.object != nil else {
      throw .problems(Self.formProblems(of: draft, in: file, context))
    }
    return PayloadFacts(
      draft, json: json, file: file, variables: template?.names ?? [],
      typeSource: assembly.inferredType == nil ? .folder : .inferred,
      target: assembly.simulatorTarget)
  }

  /// Why there is no object to tell of.
  private static func formProblems(
    of draft: Draft, in file: String, _ context: Context
  ) -> [Problem] {
    let rules = RuleContext(now: context.clock.epochSeconds)
    return RuleTable.formRules.flatMap { $0.problems(in: draft, rules) }
      .map { $0.placed(in: file) }
  }

  private func tell(_ found: [PayloadFacts], _ failures: [Failure], _ context: Context) {
    if json {
      context.output.write(InspectJSON.bytes(found))
    } else {
      let text = InspectText(style: Style(hasColor: context.output.hasColor))
      context.output.write(found.map(text.text).joined(separator: "\n"))
    }
    context.output.flush()
    let text = FailureText(hasColor: context.errors.hasColor)
    for failure in failures { context.errors.write(text.text(of: failure)) }
  }
}
