import JSONText

/// A member of a payload in an object whose keys Apple defines.
struct AppleMember {
  /// The object it is in.
  let parent: PayloadKeyNode
  /// What is known of its key; nil for a key that Apple does not define there.
  let node: PayloadKeyNode?
  /// The key and its value.
  let member: JSONMember

  /// Where the value is in the payload.
  var path: PayloadPath { node?.path ?? parent.path.key(member.key) }
}

extension Draft {
  /// What is wrong with the members of `aps` and of the objects in it that Apple defines, and with
  /// those beside `aps` that the draft's push type looks at.
  func appleMembers(_ findings: (DraftPayload, AppleMember) -> [Finding]) -> [Finding] {
    guard let payload, let root = payload.json?.object else { return [] }
    var found: [Finding] = []
    for member in root.members {
      guard let node = PayloadKeyNode.root.children[member.key] else { continue }
      let isMeant = node === PayloadKeyNode.aps || isLookedAt(node)
      guard isMeant else { continue }
      let top = AppleMember(parent: .root, node: node, member: member)
      top.walk { found += findings(payload, $0) }
    }
    return found
  }

  private func isLookedAt(_ node: PayloadKeyNode) -> Bool {
    guard let type = pushTypeInfo?.type else { return false }
    return node.key?.types.contains(type) ?? false
  }
}

extension AppleMember {
  /// This member, and those inside it whose keys Apple defines.
  fileprivate func walk(_ visit: (AppleMember) -> Void) {
    visit(self)
    guard let node, !node.children.isEmpty, case .object(let object) = member.value.content else {
      return
    }
    for inner in object.members {
      AppleMember(parent: node, node: node.children[inner.key], member: inner).walk(visit)
    }
  }
}
