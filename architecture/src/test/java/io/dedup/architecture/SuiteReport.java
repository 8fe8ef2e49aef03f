// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import java.io.IOException;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * The figures of one report.
 *
 * @param name the test class
 * @param tests how many tests ran or were skipped
 * @param failed how many of them failed or ended in an error
 * @param skipped how many of them were skipped
 */
record SuiteReport(String name, int tests, int failed, int skipped) {

  static SuiteReport read(Path report) throws IOException {
    try {
      Element suite =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(report.toFile())
              .getDocumentElement();
      return new SuiteReport(
          suite.getAttribute("name"),
          number(suite, "tests"),
          number(suite, "failures") + number(suite, "errors"),
          number(suite, "skipped"));
    } catch (ParserConfigurationException | SAXException | NumberFormatException e) {
      throw new IOException("report " + report + ": cannot be read", e);
    }
  }

  private static int number(Element suite, String attribute) {
    return Integer.parseInt(suite.getAttribute(attribute));
  }
}
