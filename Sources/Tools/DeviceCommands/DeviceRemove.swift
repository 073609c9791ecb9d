internal import JSONText
internal import PlainText
package import Reporting
package import Settings

/// Removes the names of devices and groups.
package struct DeviceRemove: Sendable, Equatable {
  package var names: [String] = []

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    let known = try context.configuration.devices()
    let file = try DeviceFile(context)
    for name in names { try refuse(name, known, file, context) }
    try file.change { devices in
      for name in names { devices[name] = nil }
    }
    context.warnOfProjectFile()
    for entry in known.effective where names.contains(entry.name) {
      let words = entry.words(showsTokens: false).printable
      context.teller.warn("Removed '\(entry.name.printable)', which was \(words).")
    }
    tell(of: try context.configuration.renewed.devices(), context)
    return Report()
  }

  /// Refuses a name that does not exist, or is in a file that people write.
  private func refuse(
    _ name: String, _ known: Devices, _ file: DeviceFile, _ context: Context
  ) throws(Failure) {
    guard let entry = known[name] else {
      do throws(DeviceError) { _ = try known.devices(name) } catch {
        throw context.failure(error, origin: "device remove")
      }
      return
    }
    if file.has(entry) { return }
    throw Failure(
      "'\(name.printable)' is in \(entry.origin.text.printable), which 'fanfare device' does not "
        + "change.", fix: "Remove it from the file yourself.", rule: "device")
  }

  /// Reports groups that still have a removed name as a member.
  private func tell(of known: Devices, _ context: Context) {
    for entry in known.effective {
      guard case .group(let members) = entry.content else { continue }
      for name in names where members.contains(name) && known[name] == nil {
        context.teller.warn([
          .warning(
            "The group '\(entry.name.printable)' still has '\(name.printable)'.",
            "'fanfare device add \(entry.name.printable) NAME…' gives it other members.")
        ])
      }
    }
  }
}
