import Foundation
import TestSupport
import Testing

@Suite struct ReliabilityPageTests {
  @Test("docs/reliability.md is what the catalogue says")
  func page() throws {
    let page = try? String(contentsOf: ReliabilityPage.file, encoding: .utf8)
    let figures = ReliabilityPage.figures(in: page ?? "")
    try expectSnapshot(ReliabilityPage.text(figures: figures), in: ReliabilityPage.file)
  }

  @Test("The catalogue has each row once, and sixty of them as cases at least")
  func rows() {
    #expect(FaultRow.all.map(\.number) == Array(1...108))
    #expect(FaultRow.all.count { !$0.cases.isEmpty } >= 60)
    #expect(FaultRow.all.allSatisfy { $0.cases.isEmpty == ($0.omission != nil) })
  }

  @Test("Figures are found again where they were put")
  func figures() {
    #expect(ReliabilityPage.figures(in: ReliabilityPage.text(figures: "1\n2")) == "1\n2")
  }
}
