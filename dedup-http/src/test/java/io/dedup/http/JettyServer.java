// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import jakarta.servlet.ServletContext;
import java.util.function.Consumer;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Embedded Jetty. */
final class JettyServer implements WebServer {

  private final Server jetty = new Server();
  private final ServerConnector connector = new ServerConnector(jetty);

  private JettyServer() {}

  static WebServer start(Consumer<ServletContext> setup) throws Exception {
    JettyServer server = new JettyServer();
    server.run(setup);
    return server;
  }

  private void run(Consumer<ServletContext> setup) throws Exception {
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    jetty.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/");
    ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
    errors.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, "/error");
    context.setErrorHandler(errors);
    TomcatServer.Failure failure = new TomcatServer.Failure();
    context.addServletContainerInitializer(
        (classes, servletContext) -> failure.of(() -> setup.accept(servletContext)));
    jetty.setHandler(context);
    jetty.start();
    if (failure.thrown != null) {
      close();
      throw failure.thrown;
    }
  }

  @Override
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() throws Exception {
    jetty.stop();
  }
}
