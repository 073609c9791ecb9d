package import APNS
internal import JSONText
internal import PlainText

/// The devices and groups that can be named, in order of precedence.
package struct Devices: Sendable {
  /// The limit for the nesting of groups.
  package static let mostNestedGroups = 32

  package let entries: [DeviceEntry]
  private let firstOfName: [String: DeviceEntry]

  init(_ entries: [DeviceEntry]) {
    self.entries = entries
    firstOfName = Dictionary(entries.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The first entry of each name.
  package var effective: [DeviceEntry] {
    var seen: Set<String> = []
    return entries.filter { seen.insert($0.name).inserted }
  }

  /// The entry of a name; nil when there is none.
  package subscript(name: String) -> DeviceEntry? { firstOfName[name] }

  /// The devices that a name stands for: one device, or those of a group without duplicates.
  ///
  /// - Throws: `DeviceError`.
  package func devices(_ name: String) throws(DeviceError) -> [Device] {
    var expansion = Expansion()
    try add(name, within: [], to: &expansion)
    return expansion.devices
  }

  /// The devices found so far for a name.
  private struct Expansion {
    private(set) var devices: [Device] = []
    private var known: Set<Device> = []
    /// The groups that are fully expanded.
    var groups: Set<String> = []

    mutating func add(_ device: Device) {
      if known.insert(device).inserted { devices.append(device) }
    }
  }

  /// True if one name is a group that contains the other, directly or through other groups.
  ///
  /// - Throws: `DeviceError` when a name in it is unknown.
  package func leads(from name: String, to other: String) throws(DeviceError) -> Bool {
    var (waiting, seen) = ([name], Set([name]))
    while let name = waiting.popLast() {
      guard let entry = self[name] else { throw unknown(name, in: nil) }
      guard case .group(let names) = entry.content else { continue }
      if names.contains(other) { return true }
      waiting += names.filter { seen.insert($0).inserted }
    }
    return false
  }

  /// - Parameter groups: the enclosing groups.
  private func add(
    _ name: String, within groups: [String], to expansion: inout Expansion
  ) throws(DeviceError) {
    guard let entry = self[name] else { throw unknown(name, in: groups.last) }
    switch entry.content {
    case .device(let device): expansion.add(device)
    case .group(let names):
      if groups.contains(name) { throw .loop(group: name) }
      if groups.count == Self.mostNestedGroups { throw .tooDeep(group: groups[0]) }
      if expansion.groups.contains(name) { return }
      for member in names { try add(member, within: groups + [name], to: &expansion) }
      expansion.groups.insert(name)
    }
  }

  private func unknown(_ name: String, in group: String?) -> DeviceError {
    let names = effective.map(\.name)
    return .unknown(
      name, group: group, near: Suggestion.near(name, among: names), names: names)
  }
}

/// A named device or group of a file.
package struct DeviceEntry: Sendable {
  package enum Content: Sendable {
    case device(Device)
    /// The names of devices and other groups.
    case group([String])
  }

  package let name: String
  package let content: Content
  /// The place of the name.
  package let origin: Origin

  /// The device; nil for a group.
  package var device: Device? { if case .device(let device) = content { device } else { nil } }
}

/// The error when a name does not lead to any device.
package enum DeviceError: Error, Sendable, Hashable {
  /// No file has the name. `group` is the group that mentions it, if any; `near` are similar names,
  /// `names` all names.
  case unknown(String, group: String?, near: [String], names: [String])
  /// A group that contains itself.
  case loop(group: String)
  /// A group that leads through more than ``Devices/mostNestedGroups`` others.
  case tooDeep(group: String)
}

extension DeviceEntry {
  /// Reads an entry from JSON of a checked shape; nil on failure, with the reasons added to the
  /// problems.
  init?(_ member: JSONMember, _ problems: ProblemList, path: @escaping (String) -> String) {
    let (file, place) = (problems.file, "devices.\(member.key)")
    (name, origin) = (member.key, .file(file, at: member.keyPosition))
    if !Device.isName(name) {
      problems.add(
        "value", place, member.keyPosition, "This cannot be the name of a device.",
        fix: "Use \(Device.nameRule).")
      return nil
    }
    if let members = member.value.array {
      content = .group(members.compactMap(\.string))
      return
    }
    let reader = SettingsReader(
      json: member.value, place: place + ".", problems: problems, path: path
    ) { .file(file, at: $0) }
    guard let device = reader.device(name) else { return nil }
    content = .device(device)
  }
}

extension SettingsReader {
  fileprivate func device(_ name: String) -> Device? {
    let written = json["token"]
    let token = written.flatMap { written in
      problems.valid(
        written.string.flatMap { try? DeviceToken(tidying: $0) }, written, place + "token",
        "This is not a device token.",
        fix: "Write its hexadecimal digits.")
    }
    guard let token else { return nil }
    var device = Device(name: name, token: token)
    let settings = settings()
    (device.environment, device.serverCA) = (settings.environment, settings.serverCA)
    device.bundleID = bundleID()
    return device
  }

  /// The app of a profile or a device.
  func bundleID() -> Setting<String>? {
    setting("bundleID") {
      problems.valid(
        $0.string.flatMap { try? BundleID($0) }?.text, $0, place + "bundleID",
        "This is not a bundle ID.",
        fix: "Write one such as com.example.app.")
    }
  }
}
