internal import APNS
internal import CommandLineKit
internal import Credentials
internal import HTTP2
internal import JSONText
internal import Projects

/// Puts a draft together from options, a scenario and variables.
struct DraftAssembly {
  var headers: HeaderOptions
  var what: PayloadOptions
  var scenario: Scenario?
  /// The scenario's step: its first, unless another is chosen.
  var step: ScenarioStep?
  let context: Context

  /// The push type when nobody says one, such as the one its folder is named after; nil infers it
  /// from the payload.
  var presumedType: PushType?
  /// What the payload's file holds, where that was read already.
  var payloadContents: [UInt8]?
  /// Whether the draft has to be complete. One that is only looked at may lack a topic.
  var isToBeSent = true

  /// The client certificate, which names the app when nobody else does; nil when there is none.
  var certificate: CertificateFacts?

  /// The push type that was inferred from the payload; nil when it was said, or cannot be told.
  private(set) var inferredType: PushType?
  /// The app that the payload's `.apns` file names; nil when it names none.
  private(set) var simulatorTarget: JSON?
  /// The topic that was taken from the certificate; nil when it was said.
  private(set) var topicOfCertificate: String?

  init(_ what: PayloadOptions, _ headers: HeaderOptions, scenario: Scenario?, _ context: Context) {
    self.what = what
    self.headers = headers
    self.scenario = scenario
    step = scenario?.steps.first
    self.context = context
  }

  /// The draft. Nothing in it has been checked.
  mutating func draft() throws(Failure) -> Draft {
    if headers.bundleID != nil, headers.topic != nil {
      throw .usage(.conflict("--bundle-id", "--topic"))
    }
    var draft = Draft(payload: try payload())
    draft[.pushType] = pushType(of: draft.payload)
    draft[.topic] = try topic(for: draft.pushType)
    draft[.priority] = field(.priority, headers.priority, "--priority")
    draft[.priority] = draft[.priority] ?? defaultPriority(draft)
    draft[.expiration] = expiration()
    draft[.collapseID] = field(.collapseID, headers.collapseID, "--collapse-id")
    draft[.id] = headers.apnsID.map {
      DraftField(.id, $0.lowercased(), from: .setting("--apns-id"))
    }
    draft.fields += otherFields()
    return draft
  }

  // MARK: Payload

  private mutating func payload() throws(Failure) -> DraftPayload? {
    let given = try givenPayload()
    if given == nil, what.edits.isEmpty { return nil }
    if let given, given.json == nil { return given }
    let edited = what.edits.apply(to: given?.json)
    let (sent, target) = SimulatorTarget.strip(from: edited)
    simulatorTarget = target
    return DraftPayload(sent, bytes: sent.encoded(.wire), file: given?.file)
  }

  private func givenPayload() throws(Failure) -> DraftPayload? {
    guard let path = what.payload else { return step?.payload }
    if let payloadContents { return DraftPayload(reading: payloadContents, file: path) }
    do throws(FileFailure) {
      return DraftPayload(reading: try readFile(path, for: "payload"), file: path)
    } catch {
      throw .file(error)
    }
  }

  // MARK: Headers

  private mutating func pushType(of payload: DraftPayload?) -> DraftField? {
    if let said = field(.pushType, headers.type, "--type") { return said }
    if let presumedType { return DraftField(.pushType, presumedType.rawValue) }
    inferredType = payload?.json.flatMap { PushTypeInference.infer(from: $0) }
    return inferredType.map { DraftField(.pushType, $0.rawValue) }
  }

  private mutating func topic(for type: String?) throws(Failure) -> DraftField? {
    if let topic = headers.topic { return DraftField(.topic, topic, from: .setting("--topic")) }
    if headers.bundleID == nil, let topic = step?.fields.first(named: .topic) { return topic }
    guard let bundleID = try bundleID() else { return certificateTopic(for: type) }
    if type == PushType.mdm.rawValue {
      // The app, when only a variable or scenario names it, is not what a management server is about.
      if headers.bundleID == nil, let topic = certificateTopic(for: type) { return topic }
      // A bundle id says nothing of it: its topic is the one in the MDM push certificate.
      if !isToBeSent { return nil }
      throw .usage(.missingOption("--topic", value: "TOPIC"))
    }
    let suffix = type.flatMap { PushType(rawValue: $0)?.info?.suffix } ?? ""
    guard let origin = bundleID.origin else { return DraftField(.topic, bundleID.value + suffix) }
    return DraftField(.topic, bundleID.value + suffix, from: origin)
  }

  /// The certificate's user id, with the suffix of the type unless it has it, as a VoIP
  /// certificate's has. It is the topic of device management as it stands.
  private mutating func certificateTopic(for type: String?) -> DraftField? {
    guard let certificate, let id = certificate.userID, !id.isEmpty else { return nil }
    if type == PushType.mdm.rawValue, !certificate.isMDM { return nil }
    let suffix = type.flatMap { PushType(rawValue: $0)?.info?.suffix } ?? ""
    let topic = id.hasSuffix(suffix) ? id : id + suffix
    topicOfCertificate = topic
    return DraftField(.topic, topic)
  }

  private func bundleID() throws(Failure) -> DraftField? {
    if let id = headers.bundleID { return DraftField(.topic, id, from: .setting("--bundle-id")) }
    if let said = scenario?.bundleID { return said }
    return try context.bundleID()
  }

  private func defaultPriority(_ draft: Draft) -> DraftField {
    let priority = draft.pushTypeInfo?.defaultPriority ?? .immediate
    return DraftField(.priority, priority.description)
  }

  private func expiration() -> DraftField? {
    guard let said = field(.expiration, headers.expiration, "--expiration") else { return nil }
    return .expiration(said.value, now: context.clock.epochSeconds, from: said.origin)
  }

  /// What an option says, else what the scenario says.
  private func field(_ name: HeaderName, _ text: String?, _ option: String) -> DraftField? {
    text.map { DraftField(name, $0, from: .setting(option)) } ?? step?.fields.first(named: name)
  }

  private func otherFields() -> [DraftField] {
    let said = headers.headers.map { DraftField($0.name, $0.value, from: .setting("--header")) }
    let inherited = step?.fields.filter { field in
      !HeaderName.typed.contains { $0.text == field.name }
        && !said.contains { $0.name == field.name }
    }
    return (inherited ?? []) + said
  }
}

extension [DraftField] {
  fileprivate func first(named name: HeaderName) -> DraftField? {
    first { $0.name == name.text }
  }
}
