package org.understudy.container.forwarding.http;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.catalina.Context;
import org.apache.catalina.Valve;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.apache.tomcat.util.descriptor.web.SecurityCollection;
import org.apache.tomcat.util.descriptor.web.SecurityConstraint;
import org.understudy.test.cluster.WebApplication;

/**
 * An application for users in the role clerk, of whom there is ann. Users of a certificate have its name.
 *
 * @param valves the last one authenticates
 */
record Secured(WebApplication application, String method, Supplier<Valve[]> valves) implements WebApplication {
  @Override
  public String path() {
    return application.path();
  }

  @Override
  public Context addTo(Tomcat tomcat, Path base) {
    Context context = application.addTo(tomcat, base);
    tomcat.addUser("ann", "secret");
    tomcat.addRole("ann", "clerk");
    tomcat.addUser("CN=test", "");
    tomcat.addRole("CN=test", "clerk");
    LoginConfig login = new LoginConfig();
    login.setAuthMethod(method);
    login.setRealmName("tests");
    context.setLoginConfig(login);
    for (Valve valve : valves.get()) {
      context.getPipeline().addValve(valve);
    }
    SecurityCollection all = new SecurityCollection();
    all.addPattern("/soap/*");
    SecurityConstraint constraint = new SecurityConstraint();
    constraint.addCollection(all);
    constraint.addAuthRole("clerk");
    context.addConstraint(constraint);
    context.addSecurityRole("clerk");
    return context;
  }
}
