internal import APNS
internal import JSONText

// Who is sending. No file is opened and no variable looked at.
extension ScenarioReader {
  /// A key or a certificate, never both; nil when neither can be read.
  func credentials(_ object: FileObject) -> Scenario.Credentials? {
    let certificate = object.take("cert")
    defer { object.refuseOtherKeys() }
    guard let certificate else { return keyCredentials(object).map { .key($0) } }
    if let key = object.take("key") {
      object.report(
        "key", key, "A key and a certificate exclude each other.", fix: "Take one of them out.")
    }
    return certificateCredentials(certificate, object).map { .certificate($0) }
  }

  private func keyCredentials(_ object: FileObject) -> Scenario.KeyCredentials? {
    let key = object.value("key", isRequired: true).flatMap { place($0, "key", object) }
    let (keyID, teamID) = (object.text("keyID"), object.text("teamID"))
    let password = password(object)
    return key.map {
      Scenario.KeyCredentials(key: $0, keyID: keyID, teamID: teamID, password: password)
    }
  }

  private func certificateCredentials(
    _ value: JSON, _ object: FileObject
  ) -> Scenario.CertificateCredentials? {
    let certificate = place(value, "cert", object)
    let (key, password) = (object.text("certKey").map(path), password(object))
    return certificate.map {
      Scenario.CertificateCredentials(certificate: $0, key: key, password: password)
    }
  }

  private func password(_ object: FileObject) -> SecretPlace? {
    object.take("passwordFile").flatMap { place($0, "passwordFile", object) }
  }

  /// A path, or `{env: "NAME"}`.
  private func place(_ value: JSON, _ key: String, _ object: FileObject) -> SecretPlace? {
    guard value.object != nil else {
      return object.text(value, key).map { SecretPlace.file(path($0)) }
    }
    let source = FileObject(value, at: "credentials.\(key)", problems)
    defer { source.refuseOtherKeys() }
    return source.text("env", isRequired: true).map { SecretPlace.variable($0) }
  }
}
