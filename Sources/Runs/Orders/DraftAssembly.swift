package import APNS
internal import Credentials
internal import HTTP2
package import JSONText
internal import PlainText
package import Reporting
package import Settings

/// Assembles a draft from merged settings and the payload of a scenario's step.
package struct DraftAssembly {
  private let settings: Settings
  /// Notes on times written without a zone.
  let notes: [String]
  /// The payload unless the settings name another; nil for none.
  private let payload: DraftPayload?
  private let context: Context

  /// The push type unless the settings name one, such as the name of the payload's folder; nil
  /// infers it from the payload.
  package var presumedType: PushType?
  /// The contents of the payload's file, if it has been read already.
  package var payloadContents: [UInt8]?
  /// Times that are given as spans count from 1970, so that the draft is the same at any time.
  var isUndated = false
  /// The draft must be complete. Otherwise it may lack a topic.
  package var isToBeSent = true

  /// The storage policy of the channel; nil takes it from the history.
  package var channelStorage: StoragePolicy?

  /// The client certificate, which supplies the app unless settings do; nil without one.
  var certificate: CertificateFacts?

  /// The push type inferred from the payload; nil when it was given, or cannot be inferred.
  package private(set) var inferredType: PushType?
  /// The app in the payload's `.apns` file; nil when there is none.
  package private(set) var simulatorTarget: JSON?
  /// The push type of the example used as payload; nil for any other payload.
  private var typeOfExample: PushType?
  /// The topic taken from the certificate; nil when it was given.
  private(set) var topicOfCertificate: String?
  /// The app of the channel, if it was taken from the certificate.
  private(set) var appOfCertificate: String?

  package init(_ settings: Settings, else payload: DraftPayload? = nil, _ context: Context) {
    (self.settings, notes) = settings.withMomentsInUTC(context)
    (self.payload, self.context) = (payload, context)
  }

  /// A payload is given beside the settings.
  var hasPayload: Bool { payload != nil }

  /// The values of placeholders for rows that have none.
  package var variables: [String: JSON] { settings.variables.mapValues(\.value) }

  private var now: Int64 { isUndated ? 0 : context.clock.epochSeconds }

  /// The draft, entirely unchecked.
  package mutating func draft() throws(Failure) -> Draft {
    var draft = Draft(payload: try editedPayload())
    draft[.pushType] = pushType(of: draft.payload)
    try address(&draft)
    let priority = draft.pushTypeInfo?.defaultPriority(for: draft.payload?.json) ?? .immediate
    draft[.priority] = settings[.priority] ?? DraftField(.priority, priority.description)
    draft[.expiration] = settings[.expiration].map {
      .expiration($0.value, now: now, from: $0.origin)
    }
    draft[.collapseID] = settings[.collapseID]
    draft[.id] = settings.apnsID.map { DraftField(.id, $0.value.lowercased(), from: $0.origin) }
    draft.fields += settings.headers.filter { field in
      !HeaderName.typed.contains { $0.text == field.name }
    }
    return draft.filledForChannel()
  }

  /// Sets the address: a topic, or a channel and its app.
  private mutating func address(_ draft: inout Draft) throws(Failure) {
    guard let channel = settings.channel else {
      draft[.topic] = try topic(for: draft.pushTypeInfo)
      return
    }
    draft.target = .channel(app: app())
    draft[.channelID] = DraftField(.channelID, channel.value, from: channel.origin)
    // Values from files are left to the rules.
    draft[.topic] = settings[.topic]
  }

  private mutating func app() -> DraftField? {
    if let said = settings.bundleID {
      return DraftField(Draft.appField, said.value, from: said.origin)
    }
    guard let id = certificate?.userID, !id.isEmpty else { return nil }
    appOfCertificate = id
    return DraftField(Draft.appField, id)
  }

  private mutating func editedPayload() throws(Failure) -> DraftPayload? {
    let given = try givenPayload()
    if given == nil, !settings.makePayload { return nil }
    if let given, given.json == nil { return given }
    let changed = try changed(given?.json)
    let patch = try attempt(try settings.payloadPatch(now: now)) { .payloadChange($0) }
    let edited = patch.applied(to: changed, now: now)
    try settings.refuseHalfAnActivity(edited)
    let (sent, target) = SimulatorTarget.strip(from: edited)
    simulatorTarget = target
    return DraftPayload(sent, bytes: sent.encoded(.wire), file: given?.file)
  }

  /// The payload with the changes of `--set`. Anything but an object is left to the rules.
  private func changed(_ payload: JSON?) throws(Failure) -> JSON? {
    let changes = settings.exactChanges
    if let payload, payload.object == nil || changes.isEmpty { return payload }
    return try attempt(try changes.applied(to: payload)) { .payloadChange($0) }
  }

  private mutating func givenPayload() throws(Failure) -> DraftPayload? {
    if let text = settings.payloadText {
      return DraftPayload(reading: Array(text.value.utf8), file: "--payload")
    }
    if let name = settings.example?.value {
      let example = try ExamplePayload.named(name)
      typeOfExample = example.pushType
      return DraftPayload(reading: Array(example.text.utf8), file: example.name)
    }
    guard let path = settings.payload?.value else { return payload }
    // Some files can be read only once.
    if payloadContents == nil { payloadContents = try readText(path, for: "payload") }
    return DraftPayload(reading: payloadContents ?? [], file: path)
  }

  private mutating func pushType(of payload: DraftPayload?) -> DraftField? {
    if let said = settings[.pushType] { return said }
    if let presumedType { return DraftField(.pushType, presumedType.rawValue) }
    // Channels have a single push type.
    if settings.channel != nil { return nil }
    let topic = settings[.topic]?.value ?? settings.bundleID?.value ?? certificate?.userID
    inferredType =
      (payload?.mended ?? payload)?.json.flatMap { PushTypeInference.infer(from: $0, topic: topic) }
      ?? typeOfOptions
    return inferredType.map { DraftField(.pushType, $0.rawValue) }
  }

  /// The push type implied by the options.
  private var typeOfOptions: PushType? {
    settings.activityOrigin == nil ? typeOfExample : .liveactivity
  }

  private mutating func topic(for type: PushTypeInfo?) throws(Failure) -> DraftField? {
    if let topic = settings[.topic] { return topic }
    guard let bundleID = settings.bundleID else { return certificateTopic(for: type) }
    if let type, !type.usesBundleID {
      // A bundle ID from a variable or scenario is for other push types: the certificate wins.
      if !bundleID.origin.isOption, let topic = certificateTopic(for: type) { return topic }
      if !isToBeSent { return nil }
      throw .topicOfCertificate(type.type)
    }
    return DraftField(.topic, bundleID.value + (type?.suffix ?? ""), from: bundleID.origin)
  }

  /// The certificate's user ID, with the push type's suffix unless it has one, as for VoIP.
  private mutating func certificateTopic(for type: PushTypeInfo?) -> DraftField? {
    guard let certificate, let id = certificate.userID, !id.isEmpty else { return nil }
    if let type, !type.usesBundleID, !certificate.isMDM { return nil }
    let suffix = type?.suffix ?? ""
    let topic = id.hasSuffix(suffix) ? id : id + suffix
    topicOfCertificate = topic
    return DraftField(.topic, topic)
  }
}

extension Settings {
  /// Rejects options for a Live Activity without its event, or with a critical sound. Invalid
  /// payloads are left to the rules.
  fileprivate func refuseHalfAnActivity(_ payload: JSON) throws(Failure) {
    guard let aps = payload["aps"], aps.object != nil else { return }
    if aps["event"] == nil, let option = activityOrigin { throw .noEvent(option.text) }
    if aps["event"] != nil, let critical = self[.critical] {
      throw .criticalActivity(critical.origin.text)
    }
  }

  fileprivate func withMomentsInUTC(_ context: Context) -> (settings: Settings, notes: [String]) {
    var (settings, notes) = (self, [String]())
    if let field = settings[.expiration] {
      let time = context.inUTC(field.value, of: field.origin?.text ?? "expiration", &notes)
      settings[.expiration] = DraftField(.expiration, time, from: field.origin)
    }
    for option in PayloadOption.table where option.form == .moment {
      guard let said = settings[option], let time = said.value.string else { continue }
      settings[option]?.value = .text(context.inUTC(time, of: said.origin.text, &notes))
    }
    return (settings, notes)
  }
}

extension Failure {
  /// The topic of the push type is not derived from a bundle ID.
  static func topicOfCertificate(_ type: PushType) -> Failure {
    .usage(
      "'--topic TOPIC' is required: the topic of \(type.rawValue) pushes is not a bundle ID, but the "
        + "one in the MDM certificate, com.apple.mgmt.…, which the device sent when it enrolled.")
  }

  fileprivate static func noEvent(_ option: String) -> Failure {
    Failure(
      "\(option) is for Live Activities, and the payload has no 'event'.",
      fix: "Give --event start, --event update or --event end.")
  }

  fileprivate static func criticalActivity(_ option: String) -> Failure {
    Failure(
      "\(option) does not work with a Live Activity: its alert cannot be critical.",
      fix: "Leave out \(option), or send an alert of its own.")
  }

  static func payloadChange(_ error: PayloadChangeError) -> Failure {
    let (place, path) = (error.place.description, error.placeAsPath.printable)
    let (fault, fix) =
      switch error.fault {
      case .noObject(let kind):
        (
          "\(place) is \(kind), not an object.",
          "Set all of it with ':=', or remove it first with --set '\(path):='."
        )
      case .noText(let meant):
        ("\(place) takes no text.", "Write --set \(shellWord(meant)), which sets JSON.")
      case .noElement(let key, let count):
        (
          "\(place) is an array of \(count) and has no element '\(key.prefix(60).printable)'.",
          count == 0 ? "Use 0 for the first." : "Use 0 to \(count - 1), or \(count) for one more."
        )
      }
    return Failure(
      "--set \(error.change.prefix(200).printable): \(fault)", fix: fix, cause: error, rule: "set")
  }
}
