import SendingSupport
import TestSupport
import Testing

/// What the program tells when several things are wrong is part of what it promises: a refusal that
/// came after a question, a reader of secrets or the first byte would come too late.
@Suite("What keeps a command from sending")
struct CheckOrderTests {
  @Test(
    "is told in the order of the table",
    arguments: WayToSend.table.filter { !$0.usesQueue })
  func order(_ way: WayToSend) throws { try expectOrder(of: way) }

  @Test(
    "is told in the order of the table by those that use the queue", .needsPostgreSQL,
    arguments: WayToSend.table.filter(\.usesQueue))
  func orderWithQueue(_ way: WayToSend) throws { try expectOrder(of: way) }

  private func expectOrder(of way: WayToSend) throws {
    try withFanfare { fanfare in
      let bench = try SendingBench(way, fanfare)
      for broken in combinations(of: way) {
        let outcome = try expectFirst(of: broken, at: bench, way)
        #expect(outcome.touched == [], "\(way.testDescription): \(broken.map(\.name))")
        #expect(bench.connectionCount == 0, "\(way.testDescription): \(broken.map(\.name))")
      }
      // Nothing is wrong: what the checks kept from happening does happen.
      try expectFirst(of: way.order.suffix(1), at: bench, way)
      #expect((bench.connectionCount > 0) == (way.order.last?.name == Check.firstByte.name))
    }
  }

  /// Each check with the next that can be wrong too, and with all that follow.
  private func combinations(of way: WayToSend) -> [[Check]] {
    way.order.indices.dropLast().flatMap { index in
      let (check, later) = (way.order[index], way.order[(index + 1)...])
      let next = later.first { way.canBreak(check, with: $0) }
      let all = later.reduce(into: [check]) { all, other in
        if all.allSatisfy({ way.canBreak($0, with: other) }) { all.append(other) }
      }
      return [[check] + [next].compactMap(\.self), all]
    }
  }

  @discardableResult
  private func expectFirst(
    of broken: some BidirectionalCollection<Check>, at bench: SendingBench, _ way: WayToSend
  ) throws -> Outcome {
    let outcome = try bench.attempt(broken.reversed())
    let names = broken.map(\.name).joined(separator: "; ")
    #expect(
      outcome.told.contains(broken.first?.says ?? ""),
      "\(way.testDescription): \(names): \(outcome.told)")
    return outcome
  }
}
