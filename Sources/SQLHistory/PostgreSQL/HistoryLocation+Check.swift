public import PushModel

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
