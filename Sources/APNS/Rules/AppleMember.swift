import JSONText

/// A member of a payload in an object whose keys are defined by Apple.
struct AppleMember {
  /// The object that contains it.
  let parent: PayloadKeyNode
  /// The row of its key; nil for a key that Apple does not define there.
  let node: PayloadKeyNode?
  /// The key and its value.
  let member: JSONMember

  /// The path of the value in the payload.
  var path: PayloadPath { node?.path ?? parent.path.key(member.key) }
}

extension ExaminedDraft {
  /// The faults of the members of `aps` and its objects defined by Apple, and of members next to
  /// `aps` that the push type uses.
  func findKeyFaults() -> [(fault: KeyFault, member: AppleMember)] {
    var search = KeyFaultSearch(
      type: knownType, event: apsParts?.event, ownKey: PayloadKeyNode.own(of: knownType))
    for member in root?.members ?? [] {
      guard let node = PayloadKeyNode.root.children[member.key], isLookedAt(node) else { continue }
      search.look(at: member, node, in: .root)
    }
    return search.found
  }

  private func isLookedAt(_ node: PayloadKeyNode) -> Bool {
    if node === PayloadKeyNode.aps { return true }
    return knownType.map(node.key.types.contains) ?? false
  }
}

/// Walks a payload and ``PayloadKey/table`` in parallel.
private struct KeyFaultSearch {
  let type: PushType?
  let event: LiveActivityEvent?
  /// A key with its own, more specific rule for the push type.
  let ownKey: PayloadKeyNode?
  var found: [(fault: KeyFault, member: AppleMember)] = []

  mutating func look(at member: JSONMember, _ node: PayloadKeyNode, in parent: PayloadKeyNode) {
    let place = AppleMember(parent: parent, node: node, member: member)
    if let fault = valueFault(member.value, node) { found.append((fault, place)) }
    if let type, !node.key.types.isEmpty, !node.key.types.contains(type) {
      found.append((.otherType, place))
    } else if let event, !node.key.events.isEmpty, !node.key.events.contains(event) {
      found.append((.otherEvent, place))
    }
    guard !node.children.isEmpty, case .object(let object) = member.value.content else { return }
    for inner in object.members {
      guard let child = node.children[inner.key] else {
        found.append((.unknown, AppleMember(parent: node, node: nil, member: inner)))
        continue
      }
      look(at: inner, child, in: node)
    }
  }

  private func valueFault(_ value: JSON, _ node: PayloadKeyNode) -> KeyFault? {
    if node === PayloadKeyNode.aps || node === ownKey { return nil }
    return KeyFault(of: value, for: node, type)
  }
}
