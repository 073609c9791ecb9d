internal import APNS
internal import JSONText
internal import PlainText
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
    if entries.isEmpty, !isJSON, context.teller.data.isTerminal {
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
    let file = entry.origin.file
    let origin = Report.Part.fact(
      "from", "file", .text(file), shown: StyledText(entry.origin.text))
    switch entry.content {
    case .device(let device):
      let (environment, bundleID) = (device.environment?.value.shown, device.bundleID?.value)
      let token = showsTokens ? device.token.hex : device.token.tail
      return [
        name(entry), .fact("token", "token", .text(device.token.hex), shown: .verbatim(token)),
        .fact("environment", "environment", .text(environment), shown: shown(environment)),
        .fact("bundle ID", "bundleID", .text(bundleID), shown: shown(bundleID)), origin,
      ]
    case .group(let names):
      return [
        name(entry),
        .fact(
          "token", "devices", .texts(names), shown: StyledText(names.joined(separator: ", "))),
        .text("environment", "-"), .text("bundle ID", "-"), origin,
      ]
    }
  }

  private func name(_ entry: DeviceEntry) -> Report.Part {
    .fact("name", "name", .text(entry.name), shown: .verbatim(entry.name))
  }

  private func shown(_ text: String?) -> StyledText { StyledText(text ?? "-") }
}
