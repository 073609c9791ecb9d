/// Where a history is, as `--history` says it: the path of a file, or the URL of a PostgreSQL
/// database.
public struct HistoryLocation: Sendable, Hashable {
  /// The path, or the URL.
  public let text: String

  /// Any text; whether a URL can be used is found out later.
  public init(_ text: String) { self.text = text }

  /// True for the URL of a database on a server, in either of the forms that PostgreSQL knows.
  public var isServer: Bool { ["postgresql://", "postgres://"].contains { text.hasPrefix($0) } }

  /// True where workers can share a run.
  public var hasQueue: Bool { isServer }

  /// Whether it is the path of a file. Nobody calls one `mysql://db1/push`, or
  /// `host=db1 dbname=push`, which is PostgreSQL's other form.
  public var isPath: Bool {
    if let colon = text.firstRange(of: "://") {
      return !text[..<colon.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    let word = text.prefix { $0.isASCII && $0.isLetter }
    return !Self.keywords.contains(String(word))
      || text.dropFirst(word.count).first { $0 != " " } != "="
  }

  /// What PostgreSQL's other form usually begins with.
  private static let keywords = [
    "dbname", "host", "hostaddr", "passfile", "password", "port", "service", "sslmode", "user",
  ]
}
