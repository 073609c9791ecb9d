/// The location of a history, as `--history` gives it: the path of a file, or the URL of a
/// PostgreSQL database.
public struct HistoryLocation: Sendable, Hashable {
  /// The path, or the URL.
  public let text: String

  /// Takes any text; a URL is checked only later.
  public init(_ text: String) { self.text = text }

  /// True for the URL of a database on a server, in either of the forms that PostgreSQL knows.
  public var isServer: Bool { ["postgresql://", "postgres://"].contains { text.hasPrefix($0) } }

  /// True where workers can share a run.
  public var hasQueue: Bool { isServer }

  /// The location is the path of a file. Texts like `mysql://db1/push`, or like PostgreSQL's other
  /// form, `host=db1 dbname=push`, are not.
  public var isPath: Bool {
    if let colon = text.firstRange(of: "://") {
      return !text[..<colon.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    let word = text.prefix { $0.isASCII && $0.isLetter }
    return !Self.keywords.contains(String(word))
      || text.dropFirst(word.count).first { $0 != " " } != "="
  }

  /// The usual first keywords of PostgreSQL's other form.
  private static let keywords = [
    "dbname", "host", "hostaddr", "passfile", "password", "port", "service", "sslmode", "user",
  ]
}
