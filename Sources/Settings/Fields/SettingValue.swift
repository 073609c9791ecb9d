package import APNS
package import JSONText
package import PushModel
package import Recipients
package import Reporting

/// The value of a setting, with a JSON form that the history stores.
package protocol SettingValue: Sendable, Hashable {
  /// The JSON form; null for values that are never stored.
  var json: JSON { get }

  /// Reads the JSON form; nil for anything else.
  init?(json: JSON)

  /// The text for people.
  var shown: String { get }
}

extension SettingValue {
  package var shown: String { json.string ?? json.encodedString(.compact) }
}

extension SettingValue where Self: RawRepresentable, RawValue == String {
  package var json: JSON { JSON(.string(rawValue)) }

  package init?(json: JSON) {
    guard let value = json.string.flatMap({ Self(rawValue: $0) }) else { return nil }
    self = value
  }
}

extension ListFormat: SettingValue {}
extension RecipientReader.Duplicates: SettingValue {}

extension SettingValue where Self: JSONValue {
  package var json: JSON { jsonValue }
}

extension String: SettingValue {
  package init?(json: JSON) {
    guard let text = json.string else { return nil }
    self = text
  }
}

extension Bool: SettingValue {
  package init?(json: JSON) {
    guard let value = json.bool else { return nil }
    self = value
  }

  package var shown: String { self ? "on" : "off" }
}

/// A number may also be a string, because settings were once stored as command-line arguments.
extension Int: SettingValue {
  package init?(json: JSON) {
    guard let number = json.number?.whole ?? json.string.flatMap({ Int($0) }) else { return nil }
    self = number
  }
}

extension UInt16: SettingValue {
  package var json: JSON { JSON(.number(JSONNumber(self))) }

  package init?(json: JSON) {
    guard let number = Int(json: json).flatMap({ UInt16(exactly: $0) }) else { return nil }
    self = number
  }
}

extension JSONNumber: SettingValue {
  package init?(json: JSON) {
    guard let number = json.number else { return nil }
    self = number
  }
}

extension RecordFormat: SettingValue {
  package var json: JSON { JSON(.string(name)) }

  package init?(json: JSON) {
    guard let format = Self.ofResults.first(where: { $0.name == json.string }) else { return nil }
    self = format
  }
}

extension JSON: SettingValue {
  package init?(json: JSON) { self = json }

  package var shown: String { encodedString(.compact) }
}

/// A member is stored as an object of its own.
extension JSONMember: SettingValue {
  package var json: JSON { [self].object }

  package init?(json: JSON) {
    guard let members = json.object?.members, members.count == 1 else { return nil }
    self = members[0]
  }
}

extension Array: SettingValue where Element: SettingValue {
  package var json: JSON { JSON(.array(map(\.json))) }

  package init?(json: JSON) {
    guard let values = json.array else { return nil }
    let read = values.compactMap { Element(json: $0) }
    if read.count != values.count { return nil }
    self = read
  }
}

/// A change is stored as the argument that describes it.
extension PayloadChange: SettingValue {
  package var json: JSON { JSON(.string(text)) }

  package init?(json: JSON) {
    guard let change = json.string.flatMap({ try? Self($0) }) else { return nil }
    self = change
  }
}

/// The sound of a critical alert, stored as its volume, or `true` without one.
struct CriticalSound: SettingValue {
  let volume: JSONNumber?

  package var json: JSON { volume.map { JSON(.number($0)) } ?? true }

  package init?(json: JSON) {
    guard json.number != nil || json.bool == true else { return nil }
    volume = json.number
  }
}

extension LiveActivityEvent: SettingValue {}

/// A device is stored with its name and its token at that time: the name may be gone later.
extension Addressee: SettingValue {
  package var json: JSON {
    switch self {
    case .token(let token): JSON(.string(token.hex))
    case .written(let text): JSON(.string(text))
    case .device(let device):
      ["name": JSON(.string(device.name)), "token": JSON(.string(device.token.hex))]
    }
  }

  package init?(json: JSON) {
    if let name = json["name"]?.string, let token = json["token"]?.string {
      guard let token = try? DeviceToken(tidying: token) else { return nil }
      self = .device(Device(name: name, token: token))
      return
    }
    guard let text = json.string else { return nil }
    if let token = try? DeviceToken(tidying: text) {
      self = .token(token)
    } else if Device.isName(text) {
      self = .written(text)
    } else {
      return nil
    }
  }

  package var shown: String {
    if case .written(let name) = self { return name }
    return device?.name ?? token?.tail ?? ""
  }
}

extension Shard: SettingValue {
  package var json: JSON { JSON(.string("\(number)/\(count)")) }

  package init?(json: JSON) {
    guard let shard = json.string.flatMap({ Shard(text: $0) }) else { return nil }
    self = shard
  }

  /// Reads `K/N`; nil for anything else.
  package init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1],
      let shard = Shard(number, of: count)
    else { return nil }
    self = shard
  }
}

/// Stored as `sandbox`, `auto`, or the URL of a server.
extension EnvironmentSetting: SettingValue {
  package var json: JSON {
    switch self {
    case .named(let environment): JSON(.string(environment.name))
    case .auto: JSON(.string(Self.autoName))
    case .inbox: JSON(.string(PushEnvironment.inboxName))
    }
  }

  package init?(json: JSON) {
    guard let text = json.string else { return nil }
    if let named = Self(name: text) {
      self = named
    } else if let address = try? ServerAddress(url: text) {
      self = .named(.server(address))
    } else {
      return nil
    }
  }
}

extension EnvironmentSetting {
  /// The names of all environments that have one.
  package static let names = single + [autoName]

  /// The names that stand for one environment each.
  package static let single = PushEnvironment.named.map(\.name) + [PushEnvironment.inboxName]

  /// The environment with a name; nil for any other text.
  package init?(name: String) {
    if name == Self.autoName {
      self = .auto
    } else if name == PushEnvironment.inboxName {
      self = .inbox
    } else if let named = PushEnvironment.named.first(where: { $0.name == name }) {
      self = .named(named)
    } else {
      return nil
    }
  }
}

/// Stored as a path, or `{env: "NAME"}`. Commands are not stored, because whoever can write to a
/// history could then choose what others run.
extension SecretLocation: SettingValue {
  package var json: JSON {
    switch self {
    case .file(let path): JSON(.string(path))
    case .variable(let name): ["env": JSON(.string(name))]
    case .command: nil
    }
  }

  package init?(json: JSON) {
    if let path = json.string {
      self = .file(path)
    } else if let name = json["env"]?.string {
      self = .variable(name)
    } else {
      return nil
    }
  }
}

/// A ``TimeSpan`` such as `500ms`, `30s` or `1h30m`, at most a day; a bare number counts seconds.
package struct TimeLength: SettingValue {
  package let milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  package init?(text: String) {
    let isBare = text.allSatisfy { $0.isASCII && $0.isNumber }
    guard let time = TimeSpan.milliseconds(isBare ? text + "s" : text), time > 0 else { return nil }
    milliseconds = time
  }

  package init?(json: JSON) {
    guard let length = json.string.flatMap({ Self(text: $0) }) else { return nil }
    self = length
  }

  /// The length in the largest unit that gives a whole number.
  package var text: String {
    let units = [("h", 3_600_000), ("m", 60_000), ("s", 1000)]
    let unit = units.first { milliseconds % $0.1 == 0 }
    return unit.map { "\(milliseconds / $0.1)\($0.0)" } ?? "\(milliseconds)ms"
  }

  package var json: JSON { JSON(.string(text)) }
}

/// Stored as `auto`, or the number, which may be a string.
extension ConnectionCount: SettingValue {
  package var json: JSON {
    switch self {
    case .auto: JSON(.string(text))
    case .fixed(let count): count.json
    }
  }

  package init?(json: JSON) {
    guard let count = (json.string ?? json.number?.whole?.description).flatMap({ Self($0) }) else {
      return nil
    }
    self = count
  }
}

extension JSONFields: SettingValue {
  package init?(json: JSON) {
    if json == true {
      self = .all
    } else if let names = [String](json: json) {
      self.init(names: names)
    } else {
      return nil
    }
  }

  package var json: JSON { names?.json ?? true }

  package var shown: String { names?.joined(separator: ",") ?? true.shown }
}

/// A number of pushes per second or other unit of time, and its text: `500`, `500/s`, `30/m`.
package struct WrittenRate: SettingValue {
  package let rate: PushRate
  package let text: String

  package init?(_ text: String) {
    guard let rate = PushRate(text) else { return nil }
    self.rate = rate
    self.text = text
  }

  package init?(json: JSON) {
    guard let rate = (json.string ?? json.number?.text).flatMap({ Self($0) }) else { return nil }
    self = rate
  }

  package var json: JSON { JSON(.string(text)) }
}
