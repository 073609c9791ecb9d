internal import CPQ
internal import POSIX
public import PushModel

/// Where a database is, as a libpq connection string, a URI or a service says it. It holds no secret:
/// libpq takes passwords from `~/.pgpass`, its own variables or a service.
struct DatabaseAddress: Sendable, Hashable {
  /// What the text says, by libpq's keywords.
  let options: [String: String]

  /// - Throws: `invalidAddress`, and `secretInAddress` for one that can be read in a list of
  ///   processes, a script or a log.
  init(_ text: String) throws(DatabaseError) {
    var complaint: UnsafeMutablePointer<CChar>?
    guard let parsed = PQconninfoParse(text, &complaint) else {
      PQfreemem(complaint)
      throw .invalidAddress
    }
    defer { PQconninfoFree(parsed) }
    let stated = ConnectionOption.all(parsed)
    if stated.contains(where: \.isSecret) { throw .secretInAddress }
    options = ConnectionOption.values(stated)
  }

  /// The text with all that a connection of this tool needs beside it.
  var completed: [String: String] {
    let effective = effective
    var completed = options
    for (keyword, value) in Self.defaults where effective[keyword] == nil {
      completed[keyword] = value
    }
    completed["client_encoding"] = "UTF8"
    if !saysEncryption(effective), !Self.isThisMachine(effective) {
      completed["sslmode"] = "verify-full"
    }
    return completed
  }

  /// What counts where neither text, service nor variables say anything: no call waits for ever for a
  /// server that has fallen silent.
  private static let defaults = [
    "fallback_application_name": "fanfare",
    "connect_timeout": "10",
    "keepalives_idle": "20",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
  ]

  /// What text, service and libpq's variables come to. Only libpq knows, and it tells once a connection
  /// was begun. This one ends before a name is looked up, because its `channel_binding` is invalid; the
  /// password keeps libpq from looking for one.
  private var effective: [String: String] {
    let probe = options.merging(["channel_binding": "-", "password": "-"]) { $1 }
    let handle = withKeywords(probe) { PQconnectStartParams($0, $1, 0) }
    defer { PQfinish(handle) }
    guard let found = PQconninfo(handle) else { return options }
    defer { PQconninfoFree(found) }
    return ConnectionOption.values(ConnectionOption.all(found))
  }

  /// A service's `prefer` looks the same as libpq's default, and does not insist on encryption.
  private func saysEncryption(_ effective: [String: String]) -> Bool {
    options["sslmode"] != nil || getenv("PGSSLMODE") != nil
      || ![nil, "prefer"].contains(effective["sslmode"])
  }

  /// Whether all bytes stay on this machine.
  private static func isThisMachine(_ options: [String: String]) -> Bool {
    let hosts = options["hostaddr"] ?? options["host"] ?? ""
    return hosts.split(separator: ",").allSatisfy { isThisMachine(String($0)) }
  }

  static func isThisMachine(_ host: String) -> Bool {
    if host.hasPrefix("/") || host.hasPrefix("@") || ["localhost", "::1"].contains(host) {
      return true
    }
    var address = in_addr()
    guard inet_pton(AF_INET, host, &address) == 1 else { return false }
    return UInt32(bigEndian: address.s_addr) >> 24 == 127
  }
}

/// One of libpq's options that has a value.
struct ConnectionOption {
  var keyword: String
  var value: String
  var isSecret: Bool

  /// Those of an array of libpq's that have values.
  static func all(_ first: UnsafeMutablePointer<PQconninfoOption>) -> [ConnectionOption] {
    var found: [ConnectionOption] = []
    var next = first
    while let keyword = next.pointee.keyword {
      if let value = next.pointee.val, value.pointee != 0 {
        found.append(
          ConnectionOption(
            keyword: String(cString: keyword), value: String(cString: value),
            isSecret: isSecret(String(cString: keyword), next.pointee.dispchar)))
      }
      next += 1
    }
    return found
  }

  static func values(_ options: [ConnectionOption]) -> [String: String] {
    Dictionary(options.map { ($0.keyword, $0.value) }) { $1 }
  }

  /// libpq marks what is not to be shown by a star. It does not mark the keys that stand for a password
  /// from version 18 on.
  private static func isSecret(_ keyword: String, _ mark: UnsafePointer<CChar>?) -> Bool {
    mark?.pointee == CChar(UInt8(ascii: "*")) || keyword.hasPrefix("scram_")
  }
}

/// Gives options to libpq in the form that it takes: two arrays of C strings, ended by NULL.
func withKeywords<Result>(
  _ options: [String: String],
  _ body: (_ keywords: [UnsafePointer<CChar>?], _ values: [UnsafePointer<CChar>?]) -> Result
) -> Result {
  let pairs = options.map { (strdup($0.key), strdup($0.value)) }
  defer {
    for (keyword, value) in pairs {
      free(keyword)
      free(value)
    }
  }
  return body(pairs.map { UnsafePointer($0.0) } + [nil], pairs.map { UnsafePointer($0.1) } + [nil])
}

extension HistoryLocation {
  /// Finds out whether a database's URL can be used, without connecting to it.
  ///
  /// - Throws: `HistoryError.invalidAddress`, or `secretInAddress`.
  public func checkURL() throws(HistoryError) {
    do throws(DatabaseError) {
      let port = try DatabaseAddress(text).options["port"] ?? ""
      let isPort = port.allSatisfy { $0.isASCII && $0.isNumber || $0 == "," }
      if isPort, !path.contains("@") { return }
    } catch {
      throw error == .secretInAddress ? .secretInAddress : .invalidAddress
    }
    // In `ada:pass/word@db1/push`, libpq takes the password for the port and the database's name.
    throw .invalidAddress
  }

  /// What follows the host, without the parameters.
  private var path: Substring {
    let authority = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? ""
    return authority.drop { $0 != "/" }.prefix { $0 != "?" }
  }
}
