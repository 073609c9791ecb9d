internal import APNS
internal import CommandLineKit

/// `fanfare history diff`
struct HistoryDiff: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "diff", "Show what differs between two pushes, or two runs.",
    discussion: """
      Compares the requests: where they went, header fields, and the payload member by member; then \
      the answers, or for runs how many pushes came to what. A run and a push are compared by their \
      requests alone. The exit code is 0 when nothing differs, 1 when something does, and 2 when \
      that cannot be told. Latencies are shown and do not count: no two are alike.
      """,
    examples: [
      Example("fanfare history diff 11 12", "What was sent differently in run 12."),
      Example(
        "fanfare history diff 6b1f0c52-93a7-4e1d-8d2c-000000000001 "
          + "6b1f0c52-93a7-4e1d-8d2c-000000000002",
        "Why one push was refused and the other was not."),
    ])

  var places: [HistoryPlace] = []
  var json = false
  var history = HistoryOptions()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Compare",
        [
          .arguments(
            "run-or-id", \.places, help: "Two of them: the older, and the newer.",
            isRequired: true),
          .flag("json", \.json, help: "Print one JSON object."),
        ])
    ] + [HistoryOptions.group.inside(\Self.history)]

  func run(_ context: Context) throws -> ExitCode {
    guard let first = places.first, places.count > 1 else {
      throw Failure.usage(.missingArgument("RUN-OR-ID of what to compare with"))
    }
    if places.count > 2 { throw Failure.usage(.unexpectedArgument(places[2].argumentText)) }
    let reader = try history.open(context)
    let difference = Difference(
      try ComparedSide(first, in: reader), try ComparedSide(places[1], in: reader))
    if json {
      context.output.write(difference.json)
    } else {
      context.output.write(difference.text(Style(hasColor: context.output.hasColor)))
    }
    return tell(difference, context)
  }

  private func tell(_ difference: Difference, _ context: Context) -> ExitCode {
    guard let failure = difference.lost else { return difference.isSame ? .success : .failure }
    context.output.flush()
    context.warn(Failure.rowsGone(failure).parts())
    return .usage
  }
}
