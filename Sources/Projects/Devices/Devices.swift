package import APNS
internal import JSONText
internal import PlainText

/// The devices and groups that can be named, the ones that come first in front.
package struct Devices: Sendable {
  package let entries: [DeviceEntry]
  /// The files that were read.
  package let files: [String]

  init(_ entries: [DeviceEntry], files: [String]) { (self.entries, self.files) = (entries, files) }

  /// The first entry of each name.
  package var effective: [DeviceEntry] {
    var seen: Set<String> = []
    return entries.filter { seen.insert($0.name).inserted }
  }

  /// The entry of a name; nil when there is none.
  package subscript(name: String) -> DeviceEntry? { entries.first { $0.name == name } }

  /// The devices that a name stands for: one, or those of a group, each once.
  ///
  /// - Throws: `DeviceError`.
  package func devices(_ name: String) throws(DeviceError) -> [Device] {
    var found: [Device] = []
    try add(name, within: [], to: &found)
    return found
  }

  /// Whether a name is a group that contains another, or contains one that does.
  ///
  /// - Throws: `DeviceError` when a name in it is unknown.
  package func leads(from name: String, to other: String) throws(DeviceError) -> Bool {
    guard let entry = self[name] else { throw unknown(name, in: nil) }
    guard case .group(let names) = entry.content else { return false }
    if names.contains(other) { return true }
    for member in names where try leads(from: member, to: other) { return true }
    return false
  }

  /// - Parameter groups: the groups that led here.
  private func add(
    _ name: String, within groups: [String], to found: inout [Device]
  ) throws(DeviceError) {
    guard let entry = self[name] else { throw unknown(name, in: groups.last) }
    switch entry.content {
    case .device(let device): if !found.contains(device) { found.append(device) }
    case .group(let names):
      if groups.contains(name) { throw .loop(group: name) }
      for member in names { try add(member, within: groups + [name], to: &found) }
    }
  }

  private func unknown(_ name: String, in group: String?) -> DeviceError {
    let names = effective.map(\.name)
    return .unknown(
      name, group: group, near: Suggestion.near(name, among: names), names: names)
  }
}

/// A name of a file, with what it stands for.
package struct DeviceEntry: Sendable {
  package enum Content: Sendable {
    case device(Device)
    /// The names of devices and other groups.
    case group([String])
  }

  package let name: String
  package let content: Content
  /// Where the name is written.
  package let origin: Origin
}

/// Why a name stands for no devices.
package enum DeviceError: Error, Sendable, Hashable {
  /// No file has it. `group` names it, if one does; `near` are names that are nearly the same,
  /// `names` all.
  case unknown(String, group: String?, near: [String], names: [String])
  /// A group that contains itself.
  case loop(group: String)
}

extension DeviceEntry {
  /// An entry out of JSON whose shape was checked; nil when something is wrong with it, which is
  /// added to the problems.
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

  /// The app that a profile or a device names.
  func bundleID() -> Setting<String>? {
    setting("bundleID") {
      problems.valid(
        $0.string.flatMap { try? BundleID($0) }?.text, $0, place + "bundleID",
        "This is not a bundle ID.",
        fix: "Write one such as com.example.app.")
    }
  }
}
