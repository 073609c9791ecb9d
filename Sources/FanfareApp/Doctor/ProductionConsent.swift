internal import APNS
internal import POSIX

/// The question before connecting to production.
enum ProductionConsent {
  /// Asks on the terminal.
  ///
  /// - Throws: `Failure.declined` unless the answer is yes; `Failure.needsConsent` without
  ///   a terminal.
  static func ask(_ context: Context) throws(Failure) {
    guard context.errors.isTerminal, let terminal = fopen("/dev/tty", "r") else {
      throw .needsConsent
    }
    defer { fclose(terminal) }
    context.errors.write(
      "This connects to production and sends at most one push, to a made-up device token.\n")
    context.errors.write("Proceed? [y/N] ")
    context.errors.flush()
    guard isYes(line(of: terminal)) else { throw .declined }
  }

  /// Whether the answer is `y` or `yes`.
  static func isYes(_ text: String) -> Bool {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    return words == ["y"] || words == ["yes"]
  }

  private static func line(of file: UnsafeMutablePointer<FILE>) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension PushEnvironment {
  /// Whether it is Apple's production service, under whatever port.
  var isProduction: Bool {
    address != nil && address?.host.lowercased() == Self.production.address?.host
  }
}
