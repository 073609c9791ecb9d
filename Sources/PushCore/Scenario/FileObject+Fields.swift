internal import APNS
internal import JSONText

// Members that become headers.
extension FileObject {
  /// A member that is text or a number, as a header.
  func field(_ key: String, as name: HeaderName) -> DraftField? {
    take(key).flatMap { value in
      headerText(value, key).map {
        DraftField(name, $0, from: .file(problems.file, at: value.position))
      }
    }
  }

  /// Every member as a header of its own name.
  func allFields() -> [DraftField] {
    takeAll().compactMap { member in
      headerText(member.value, member.key).map {
        DraftField(member.key, $0, from: .file(problems.file, at: member.value.position))
      }
    }
  }

  private func headerText(_ value: JSON, _ key: String) -> String? {
    value.number?.text ?? text(value, key)
  }
}
