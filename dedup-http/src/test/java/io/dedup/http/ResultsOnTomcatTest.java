// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

class ResultsOnTomcatTest extends ResultsContract {

  @Override
  WebServer.Starter server() {
    return TomcatServer::start;
  }
}
