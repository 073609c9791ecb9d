internal import APNS
internal import JSONText
package import Reporting
package import Settings

/// Lists named devices and groups.
package struct DeviceList: Sendable, Equatable {
  package var isJSON = false
  package var showsTokens = false
  /// Prints only names, one per line, for shells.
  package var onlyNames = false

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    if isJSON, onlyNames { throw .conflict("--json", "--names") }
    let entries = try context.configuration.devices().effective
    context.warnOfProjectFile()
    if onlyNames { return Report(parts: [.lines(entries.map { .verbatim($0.name) })]) }
    let listed = ListedDevices(entries: entries, showsTokens: showsTokens)
    if entries.isEmpty, !isJSON {
      context.teller.warn("No device has a name yet. 'fanfare device add NAME TOKEN' gives one.")
    }
    return listed.report(isJSON: isJSON).asJSON(isJSON)
  }
}

extension DeviceEntry {
  /// A description of the device or group.
  func words(showsTokens: Bool) -> String {
    switch content {
    case .group(let names): return "a group of \(names.joined(separator: ", "))"
    case .device(let device):
      let token = showsTokens ? device.token.hex : device.token.tail
      return [token, device.environment?.value.shown, device.bundleID?.value].compactMap(\.self)
        .joined(separator: ", ")
    }
  }
}

/// Devices and groups for printing: a row each; in JSON, an object per line.
struct ListedDevices {
  let entries: [DeviceEntry]
  let showsTokens: Bool

  func report(isJSON: Bool) -> Report {
    Report(parts: [.table(nil, entries.map(row))], form: isJSON ? .lines : .line)
  }

  private func row(_ entry: DeviceEntry) -> [Report.Part] {
    let listed = ListedDevice(entry: entry, showsTokens: showsTokens)
    return switch entry.content {
    case .device: ListedDevice.device.parts(of: listed)
    case .group: ListedDevice.group.parts(of: listed)
    }
  }
}

/// A device or a group for printing.
struct ListedDevice {
  let entry: DeviceEntry
  let showsTokens: Bool

  static let device: [OutputField<Self>] = [
    name,
    .always("token", { $0.token?.hex ?? "" }, "The whole device token, in lowercase.", as: "token")
    { row in row.token.map { .verbatim(row.showsTokens ? $0.hex : $0.tail) } },
    .always(
      "environment", \.environment, "The environment that the device is in.", as: "environment"
    ) { StyledText($0.environment ?? "-") },
    .always("bundleID", \.bundleID, "The bundle ID of its app.", as: "bundle ID") {
      StyledText($0.bundleID ?? "-")
    }, origin,
  ]

  static let group: [OutputField<Self>] = [
    name,
    .always("devices", \.names, "The names in the group.", as: "token") {
      StyledText($0.names.joined(separator: ", "))
    }, .people { _ in [.text("environment", "-"), .text("bundle ID", "-")] }, origin,
  ]

  private static let name = OutputField<Self>.always(
    "name", \.entry.name, "The device's or the group's name.", as: "name"
  ) { .verbatim($0.entry.name) }

  private static let origin = OutputField<Self>.always(
    "file", \.entry.origin.file, "The file that names it.", as: "from"
  ) { StyledText($0.entry.origin.text) }

  private var content: Device? {
    if case .device(let device) = entry.content { device } else { nil }
  }

  private var token: DeviceToken? { content?.token }
  private var environment: String? { content?.environment?.value.shown }
  private var bundleID: String? { content?.bundleID?.value }
  private var names: [String] { if case .group(let names) = entry.content { names } else { [] } }
}
