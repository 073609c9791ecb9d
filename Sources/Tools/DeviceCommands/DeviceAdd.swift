internal import APNS
internal import JSONText
internal import PlainText
package import Reporting
package import Settings

/// Names a device token, or a group of names.
package struct DeviceAdd: Sendable, Equatable {
  package var name = ""
  /// The device token, or the names of the group's members.
  package var words: [String] = []
  package var environment: String?
  package var bundleID: String?
  package var isJSON = false
  package var showsTokens = false

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    guard Device.isName(name) else { throw .badDeviceName(name) }
    let isGroup = words.count > 1 || Device.isName(words.first ?? "")
    let known = try context.configuration.devices()
    try refuseWrittenByHand(known, context)
    let content = isGroup ? try group(known, context) : try device(context)
    let file = try DeviceFile(context)
    try file.change { devices in
      let former = isGroup ? [] : devices[name]?.object?.members ?? []
      devices[name] = isGroup ? .texts(words) : (former + content).object
    }
    return try report(known[name].flatMap { file.has($0) ? $0 : nil }, context)
  }

  /// Refuses a name already in the user's own configuration: it would be ambiguous.
  private func refuseWrittenByHand(_ known: Devices, _ context: Context) throws(Failure) {
    guard let own = context.configuration.ownFile,
      let entry = known.entries.first(where: { entry in
        entry.name == name && entry.origin.file.map { areSameFile($0, own) } ?? false
      })
    else { return }
    throw Failure(
      "'\(name.printable)' has a device already, in \(entry.origin.text.printable).",
      fix: "Change it there, or use another name.", rule: "device")
  }

  /// The given members of the device; other members already known are kept.
  private func device(_ context: Context) throws(Failure) -> [JSONMember] {
    let said = [
      ("token", try token(context).hex), ("environment", environment),
      ("bundleID", try checkedBundleID()),
    ]
    return said.compactMap { key, text in text.map { JSONMember(key: key, value: .text($0)) } }
  }

  private func token(_ context: Context) throws(Failure) -> DeviceToken {
    let text = words.first ?? ""
    do throws(DeviceTokenError) { return try DeviceToken(tidying: text) } catch {
      if error == .looksLikeBase64, let token = context.token(ofBase64: text, from: "TOKEN") {
        return token
      }
      let fix =
        switch error {
        case .looksLikeBase64: DeviceToken.fix(ofBase64: text, isShown: showsTokens)
        case .several: "Give each device a name, then a name to all of them."
        default: "Copy the hexadecimal digits that the app prints."
        }
      throw Failure(
        "'\(text.redacted)' is not a device token: \(error.clause).", fix: fix, rule: "device")
    }
  }

  private func checkedBundleID() throws(Failure) -> String? {
    try bundleID.map { (text) throws(Failure) in try BundleID(text, from: "--bundle-id").text }
  }

  /// The group's only members are the given words.
  private func group(_ known: Devices, _ context: Context) throws(Failure) -> [JSONMember] {
    if environment != nil { throw .conflict("--env", "a group") }
    if bundleID != nil { throw .conflict("--bundle-id", "a group") }
    for word in words {
      guard Device.isName(word) else { throw .memberWithoutName(word) }
      do throws(DeviceError) {
        // The group's former members do not count.
        if word == name { throw .loop(group: name) }
        _ = try known.devices(word)
        if try known.leads(from: word, to: name) { throw .loop(group: name) }
      } catch {
        throw context.failure(error, origin: name)
      }
    }
    return []
  }

  /// - Parameter former: the entry that the name had before.
  private func report(_ former: DeviceEntry?, _ context: Context) throws(Failure) -> Report {
    context.warnOfProjectFile()
    let renewed = context.configuration.renewed
    guard let entry = try renewed.devices()[name] else { return Report() }
    if let former, former.words(showsTokens: true) != entry.words(showsTokens: true) {
      let words = former.words(showsTokens: showsTokens).printable
      context.teller.warn("Replaced '\(name.printable)', which was \(words).")
    }
    if case .device(let device) = entry.content, !device.token.hasUsualLength,
      !(device.environment?.value.named?.hasOtherTokens ?? false)
    {
      context.teller.warn([.oddToken(device.token)])
    }
    let listed = ListedDevices(entries: [entry], showsTokens: showsTokens)
    return listed.report(isJSON: isJSON).asJSON(isJSON)
  }
}

extension String {
  /// Its last eight characters: it may be a device token.
  fileprivate var redacted: String { (count > 8 ? "…" + suffix(8) : self).printable }
}

extension Failure {
  fileprivate static func badDeviceName(_ name: String) -> Failure {
    let isLong = name.count > Device.longestName || Device.isSlip(name)
    return Failure(
      "'\(isLong ? name.redacted : name.printable)' cannot be the name of a device.",
      fix: "Use \(Device.nameRule).",
      rule: "device")
  }

  fileprivate static func memberWithoutName(_ word: String) -> Failure {
    Failure(
      "'\(word.redacted)' cannot be in a group: it is not the name of a device.",
      fix: "Give the device token a name first: fanfare device add NAME TOKEN.", rule: "device")
  }
}
