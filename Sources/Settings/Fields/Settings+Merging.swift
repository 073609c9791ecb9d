internal import APNS

extension Settings {
  /// These settings, with what they leave out as a lower layer says it: field by field, but
  /// credentials whole, and lists by the names of their members. Nothing is opened.
  package func over(_ lower: Settings) -> Settings {
    var (merged, lower) = (self, lower)
    if nameCredentials { lower.forget(.credentials) }
    if environment != nil || server != nil {
      (lower.environment, lower.server, lower.serverCA) = (nil, nil, nil)
    }
    // An app that is named above replaces a whole topic below.
    if bundleID != nil { lower[.topic] = nil }
    lower.giveWay(to: self)
    for field in Self.fields { field.fill(&merged, lower) }
    return merged
  }

  /// Takes back what says the same thing in another form than settings above do.
  private mutating func giveWay(to upper: Settings) {
    if upper.to != nil || upper.tokens != nil { channel = nil }
    if upper.channel != nil { forget(.to) }
    if upper.namePayload { (payload, payloadText, example) = (nil, nil, nil) }
    if upper.title != nil { (titleLocKey, titleLocArgs) = (nil, nil) }
    if upper.titleLocKey != nil { title = nil }
    if upper.body != nil { (locKey, locArgs) = (nil, nil) }
    if upper.locKey != nil { body = nil }
  }

  /// The settings of a run that is taken up, as far as they count below others: another place comes
  /// with all that belongs to it, for what the old one was trusted by, and how it was reached, says
  /// nothing about the new one.
  package func below(_ upper: Settings) -> Settings {
    var stored = self
    if upper.environment != nil || upper.server != nil { stored.forget(.place) }
    return stored
  }

  /// Takes back all of one part.
  package mutating func forget(_ part: SettingField.Part) {
    for field in Self.fields where field.part == part { field.forget(&self) }
  }
}
