internal import CPQ
internal import POSIX
internal import PushModel

/// The address of a database: a libpq connection string, a URI or a service. It holds no secret:
/// libpq takes passwords from `~/.pgpass`, its own variables or a service.
struct DatabaseAddress: Sendable, Hashable {
  /// The options in the text, by libpq's keywords.
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

  /// The same with another `connect_timeout`.
  func waiting(seconds: Int) -> DatabaseAddress {
    DatabaseAddress(options: options.merging(["connect_timeout": "\(seconds)"]) { $1 })
  }

  private init(options: [String: String]) { self.options = options }

  /// The options of the text, completed for a connection of this tool.
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

  /// The options that apply unless text, service or variables set them. With them, no call waits
  /// for ever for a silent server.
  private static let defaults = [
    "fallback_application_name": "fanfare",
    "connect_timeout": "10",
    "keepalives_idle": "20",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
  ]

  /// The options in effect, from text, service and libpq's variables. Only libpq knows them, and
  /// only after a connection was started. This one fails before any name is looked up, because its
  /// `channel_binding` is invalid; the password keeps libpq from looking for one.
  private var effective: [String: String] {
    let probe = options.merging(["channel_binding": "-", "password": "-"]) { $1 }
    let handle = withKeywords(probe) { PQconnectStartParams($0, $1, 0) }
    defer { PQfinish(handle) }
    guard let found = PQconninfo(handle) else { return options }
    defer { PQconninfoFree(found) }
    return ConnectionOption.values(ConnectionOption.all(found))
  }

  /// Returns true if encryption was chosen. A service's `prefer` cannot be told from libpq's
  /// default, and does not require encryption.
  private func saysEncryption(_ effective: [String: String]) -> Bool {
    options["sslmode"] != nil || getenv("PGSSLMODE") != nil
      || ![nil, "prefer"].contains(effective["sslmode"])
  }

  /// Returns true if the connection stays on this machine.
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

  /// The options in an array of libpq's that have values.
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

  /// Returns true for a secret. libpq marks what must not be shown with a star, but not the keys
  /// that replace a password from version 18 on.
  private static func isSecret(_ keyword: String, _ mark: UnsafePointer<CChar>?) -> Bool {
    mark?.pointee == CChar(UInt8(ascii: "*")) || keyword.hasPrefix("scram_")
  }
}

/// Passes options in the form that libpq takes: two arrays of C strings, ended by NULL.
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
  /// Checks a database's URL without connecting.
  ///
  /// - Throws: `HistoryError.invalidAddress`, or `secretInAddress`.
  func checkURL() throws(HistoryError) {
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

  /// The path after the host, without the parameters.
  private var path: Substring {
    let authority = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? ""
    return authority.drop { $0 != "/" }.prefix { $0 != "?" }
  }
}
