internal import APNS

extension Settings {
  /// Merges these settings with a lower layer: field by field, but credentials as a whole, and
  /// lists by the names of their members. Opens no files.
  package func over(_ lower: Settings) -> Settings {
    var (merged, lower) = (self, lower)
    if nameCredentials { lower.forget(.credentials) }
    if environment != nil || server != nil {
      (lower.environment, lower.server, lower.serverCA) = (nil, nil, nil)
    }
    // A bundle ID in the upper layer replaces a whole topic in the lower one.
    if bundleID != nil { lower[.topic] = nil }
    lower.giveWay(to: self)
    for field in Self.fields { field.fill(&merged, lower) }
    return merged
  }

  /// Removes values that an upper layer sets in another form.
  private mutating func giveWay(to upper: Settings) {
    if upper.to != nil || upper.tokens != nil { channel = nil }
    if upper.channel != nil { forget(.to) }
    if upper.namePayload { (payload, payloadText, example) = (nil, nil, nil) }
    giveWay(toChangesOf: upper)
  }

  /// The settings of a stored run, to be merged below others. If those name another place,
  /// everything about the old place is removed, since its trust and proxy settings do not apply to
  /// the new one.
  package func below(_ upper: Settings) -> Settings {
    var stored = self
    if upper.environment != nil || upper.server != nil { stored.forget(.place) }
    return stored
  }

  /// Removes all settings of one part.
  package mutating func forget(_ part: SettingField.Part) {
    for field in Self.fields where field.part == part { field.forget(&self) }
  }
}
