import Foundation

/// `docs/reliability.md`, made of the catalogue. The figures in it are `make soak`'s.
enum ReliabilityPage {
  /// Where it lies.
  static let file = URL(filePath: #filePath).appending(path: "../../../../docs/reliability.md")
    .standardizedFileURL

  private static let start = "<!-- figures: make soak -->"
  private static let end = "<!-- end of figures -->"

  /// The page, with these figures.
  static func text(figures: String) -> String {
    """
    \(head)

    ## Pass codes

    \(legend)

    ## Faults

    \(summary)

    | # | fault | what fanfare does | code | proof |
    | --- | --- | --- | --- | --- |
    \(FaultRow.all.map(line).joined(separator: "\n"))

    ## Figures

    \(start)
    \(figures)
    \(end)

    """
  }

  /// The figures that stand in a page; a sentence when there are none yet.
  static func figures(in page: String) -> String {
    guard let from = page.range(of: start + "\n"), let to = page.range(of: "\n" + end),
      from.upperBound <= to.lowerBound
    else { return "`make soak` writes them." }
    return String(page[from.upperBound..<to.lowerBound])
  }

  private static let head = """
    # Reliability

    No push is lost, and none is counted twice. This page lists what can go wrong, what fanfare does
    about it, and what proves it. It is made from the table in `Tests/FaultTests/Catalogue`;
    `RECORD_SNAPSHOTS=1 swift test --filter ReliabilityPage` writes it anew, and `make soak` the figures
    at its end.

    Each case joins two independent books: the journal of an emulator, which knows of each request
    whether it was *processed*, and the client's ledger, with the summary that it told. Whatever the
    code, these agree push by push, each push has one `apns-id` however often it is sent, and lines =
    outcomes + bad lines + duplicates + suppressed + other shards.

    `make soak` also lets seeds choose the faults: on bad days, in programs that are killed, in lists
    sent, resumed and resent in any order, and at a distance, where connections are reset at random
    under `--connections auto` and `--connections 16`. There, only pushes that went over a connection
    that was reset are sent again; no more are in doubt than these connections had room for, and each is
    listed. `Scripts/soak --seed 5 --distances 5` repeats seeds 5 to 9 of it. Fleets of workers send a
    queue in PostgreSQL while some of them are killed or taken for dead, the database crashes, and
    connections to it break within a commit: each push has one result that counts, and the history lists
    each that was sent twice.
    """

  private static var legend: String {
    PassCode.allCases.map { "- **\($0.rawValue)** \($0.meaning)" }.joined(separator: "\n")
  }

  private static var summary: String {
    let proven = FaultRow.all.filter { !$0.cases.isEmpty }
    let cases = proven.reduce(0) { $0 + $1.cases.count }
    return """
      \(proven.count) of \(FaultRow.all.count) faults are cases of `FaultTests`, in \(cases) forms; \
      `FANFARE_FAULTS=1,70 swift test --filter FaultTests` runs some of them.
      """
  }

  private static func line(_ row: FaultRow) -> String {
    let codes = PassCode.allCases.filter { code in row.cases.contains { $0.pass == code } }
    let names = row.cases.map(\.name).filter { !$0.isEmpty }
    let proof =
      row.omission.map { "none: \($0)" }
      ?? (names.isEmpty ? "1 case" : names.joined(separator: "; "))
    let cells = [
      "\(row.number)", row.fault, row.conduct,
      codes.isEmpty ? "–" : codes.map(\.rawValue).joined(separator: ", "), proof,
    ]
    return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
  }
}
