package import APNS
package import CommandLineKit
internal import JSONText
internal import PlainText
internal import PushModel
internal import Recipients
package import Reporting

/// A word of the command line that is a setting or part of one.
protocol SettingWord: ArgumentValue {
  associatedtype Value: SettingValue

  /// The setting's value.
  var value: Value { get }
}

extension SettingWord where Self: SettingValue {
  var value: Self { self }
}

extension String: SettingWord {}

/// The environments with names for `--env`.
package struct EnvironmentName: SettingWord, Equatable {
  package static let choices = EnvironmentSetting.names

  package let value: EnvironmentSetting
  package let argumentText: String

  package init(argument word: String) throws(BadValue) {
    guard let value = EnvironmentSetting(name: word) else { throw .notAChoice }
    (self.value, argumentText) = (value, word)
  }
}

/// The condition for showing the progress line.
enum ProgressWord: String, SettingWord, CaseIterable {
  case auto
  case never

  var value: Bool { self == .auto }
}

/// Device tokens and names of devices; `-` or `@FILE` for a list of them.
enum RecipientsArgument: ArgumentValue, Equatable {
  case addressees([Addressee])
  case list(String)

  init(argument word: String) throws(BadValue) {
    // A name may begin with @, too: what it means is decided when it is looked up.
    if word == "-" || word.hasPrefix("@") && !Device.isName(word) {
      self = .list(word == "-" ? word : String(word.dropFirst()))
    } else {
      let parts = word.contains("{") ? [] : word.split(separator: ",").map(\.withoutBlanksAround)
      let found = try (parts.isEmpty ? [word] : parts).map { (part) throws(BadValue) in
        try Self.addressees(part)
      }
      self = .addressees(found.flatMap(\.self))
    }
  }

  private static func addressees(_ word: String) throws(BadValue) -> [Addressee] {
    do throws(DeviceTokenError) {
      return try DeviceToken.all(in: word).map(Addressee.token)
    } catch {
      let words = word.split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count > 1, words.allSatisfy(isWhole) else {
        return [.written(try Self.name(word, error))]
      }
      return try words.map { (word) throws(BadValue) in try Self.addressees(word) }
        .flatMap(\.self)
    }
  }

  /// True for a name, and for a whole device token.
  private static func isWhole(_ word: String) -> Bool {
    Device.isName(word) || (try? DeviceToken(word))?.hasUsualLength ?? false
  }

  /// A name to look up. Anything that was clearly meant as a device token is refused.
  private static func name(_ word: String, _ error: DeviceTokenError) throws(BadValue) -> String {
    if error == .looksLikeBase64 || Device.isName(word) && !error.isOfToken(word) { return word }
    if let clause = Addressee.clause(ofFile: word) { throw .because(clause) }
    if case .notHex = error, !Device.isSlip(word), word.first?.isLetter ?? false {
      throw .secretBecause("it is neither a device token nor the name of a device")
    }
    throw .secretBecause(error.clause)
  }

  var argumentText: String {
    switch self {
    case .addressees(let found): found.map(\.shown).joined(separator: ",")
    case .list(let path): path == "-" ? path : "@" + path
    }
  }
}

extension Substring {
  fileprivate var withoutBlanksAround: String { split(separator: " ").joined(separator: " ") }
}

/// The file of `--results`; one name for standard output.
struct ResultsArgument: SettingWord, Equatable {
  let value: String

  init(argument word: String) {
    value = ["/dev/stdout", "/dev/fd/1"].contains(word) ? "-" : word
  }

  var argumentText: String { value }
}

/// The format of `--results`.
extension RecordFormat: SettingWord {
  package init(argument word: String) throws(BadValue) {
    guard let format = Self(json: JSON(.string(word))) else { throw .notAChoice }
    self = format
  }

  package var argumentText: String { name }

  package static var choices: [String] { ofResults.map(\.name) }
}

extension TimeLength: SettingWord {
  package init(argument word: String) throws(BadValue) {
    guard let length = Self(text: word) else {
      throw .expected("a length of time such as 500ms, 30s or 2m, at most 24h")
    }
    self = length
  }

  package var argumentText: String { text }
}

extension WrittenRate: SettingWord {
  package init(argument word: String) throws(BadValue) {
    guard let rate = Self(word) else {
      throw .expected("a number of pushes such as 500, 500/s or 30/m, at most 1000000/s")
    }
    self = rate
  }

  package var argumentText: String { text }
}

extension ConnectionCount: SettingWord {
  init(argument word: String) throws(BadValue) {
    guard let count = Self(word) else {
      let numbers = Self.numbers
      throw .expected(
        "'auto' or a number of connections, \(numbers.lowerBound) to \(numbers.upperBound)")
    }
    self = count
  }

  var argumentText: String { text }
}

/// `NAME,…`: the fields of a JSON line.
struct JSONFieldsArgument: SettingWord, Equatable {
  let value: JSONFields

  init(argument word: String) throws(BadValue) {
    guard let fields = JSONFields(text: word) else {
      throw .expected("names of fields with commas between, such as outcome,apnsID")
    }
    value = fields
  }

  var argumentText: String { value.shown }
}

/// A TCP port.
package struct PortArgument: SettingWord, Equatable {
  package let port: UInt16

  package init(port: UInt16) { self.port = port }

  package init(argument word: String) throws(BadValue) {
    guard let port = UInt16(word) else { throw .expected("a port, 0 to 65535") }
    self.port = port
  }

  package var argumentText: String { String(port) }

  package var value: UInt16 { port }
}

extension RecipientReader.Duplicates: SettingWord {}
extension ListFormat: SettingWord {}

/// `K/N`: one of N parts of the device tokens.
struct ShardArgument: SettingWord, Equatable {
  let value: Shard

  init(argument word: String) throws(BadValue) {
    guard let shard = Shard(text: word) else {
      throw .expected("K/N, such as 1/4 for the first of four parts")
    }
    value = shard
  }

  var argumentText: String { value.shown }
}

/// The device token used in examples, with all 64 digits, as an emulator requires.
package let exampleToken = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"

/// The recipient named by one `--to`.
package enum Addressee: Sendable, Hashable {
  case token(DeviceToken)
  /// A name, looked up before anything is sent; or base64, refused once it is known whether device
  /// tokens may be shown.
  case written(String)
  /// A device found by its name.
  case device(Device)

  /// The device token; nil before the lookup.
  package var token: DeviceToken? {
    switch self {
    case .token(let token): token
    case .device(let device): device.token
    case .written: nil
    }
  }

  package var device: Device? {
    if case .device(let device) = self { device } else { nil }
  }

  /// The reason a file cannot be a recipient, with the word that sends to the tokens in it; nil for
  /// anything else.
  static func clause(ofFile path: String) -> String? {
    guard fileExists(path), !FolderListing.isFolder(path) else { return nil }
    return "it is a file: '--to @\(path.printable)' sends to the device tokens in it"
  }
}
