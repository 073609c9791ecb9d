internal import APNS
internal import JSONText
internal import Recipients

/// What one file says of a scenario. What it leaves out may stand in the file that it extends.
struct ScenarioLayer {
  /// A notification as far as one file describes it.
  struct Notice {
    var name: String?
    var origin = Origin.file(nil)
    var pauseMilliseconds = 0
    var fields: [DraftField] = []
    var payload: DraftPayload?
    /// Whether it names a payload, readable or not.
    var hasPayload = false
    var recipients: [RecipientSource]?
    var expectation: Expectation?
  }

  /// One notification, or several, one after the other.
  enum Content {
    case notification(Notice)
    case steps([Notice])
  }

  /// Where it begins.
  var position: JSONPosition?
  var name: String?
  var profile: String?
  var bundleID: DraftField?
  var environment: EnvironmentSetting?
  var roots: String?
  var script: String?
  var credentials: CredentialsSetting?
  var recipients: [RecipientSource]?
  var variables: [String: JSON] = [:]
  var content: Content?
  var expectation: Expectation?

  /// This layer, with what it leaves out as another says. Where to send comes whole from one of
  /// them, so do credentials and steps; variables and the parts of a notification come one by one.
  func over(_ base: ScenarioLayer) -> ScenarioLayer {
    var layer = self
    layer.name = name ?? base.name
    layer.profile = profile ?? base.profile
    layer.bundleID = bundleID ?? base.bundleID
    if environment == nil {
      (layer.environment, layer.roots, layer.script) = (base.environment, base.roots, base.script)
    }
    layer.credentials = credentials ?? base.credentials
    layer.recipients = recipients ?? base.recipients
    layer.variables.merge(base.variables) { own, _ in own }
    layer.content = content(over: base.content)
    layer.expectation = expectation ?? base.expectation
    return layer
  }

  private func content(over base: Content?) -> Content? {
    guard case .notification(let own)? = content, case .notification(let other)? = base else {
      return content ?? base
    }
    return .notification(own.over(other))
  }

  /// The notifications in order, which take recipients and expectation of the scenario unless they
  /// have their own.
  var steps: [ScenarioStep] {
    let notices: [Notice] =
      switch content {
      case .notification(let notice): [notice]
      case .steps(let notices): notices
      case nil: []
      }
    return notices.enumerated().map { index, notice in
      ScenarioStep(
        number: index + 1, name: notice.name, origin: notice.origin,
        pauseMilliseconds: notice.pauseMilliseconds, fields: notice.fields,
        payload: notice.payload, recipients: notice.recipients ?? recipients ?? [],
        expectation: notice.expectation ?? expectation)
    }
  }
}

extension ScenarioLayer.Notice {
  fileprivate func over(_ base: Self) -> Self {
    var notice = self
    notice.fields += base.fields.filter { field in !fields.contains { $0.name == field.name } }
    if !hasPayload { (notice.payload, notice.hasPayload) = (base.payload, base.hasPayload) }
    return notice
  }
}
