public import JSONText

extension Draft {
  /// The draft with the app in its payload that an `.apns` file names, as written in the file.
  ///
  /// - Parameter target: The value of ``SimulatorTarget/key``; nil changes nothing.
  public func addressed(to target: JSON?) -> Draft {
    guard let target, let payload, var root = payload.json?.object else { return self }
    root[SimulatorTarget.key] = target
    let json = JSON(.object(root), at: payload.json?.position)
    return Draft(
      fields: fields, payload: DraftPayload(json, bytes: payload.bytes, file: payload.file))
  }
}
