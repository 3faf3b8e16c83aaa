package org.understudy.session;

import java.security.Principal;
import java.util.List;
import org.apache.catalina.realm.GenericPrincipal;
import org.apache.catalina.realm.RealmBase;

/** A realm with one user, the customer alice, and with bob, whose roles only the realm knows. */
final class OneUser extends RealmBase {
  @Override
  protected String getPassword(String name) {
    return name.equals("alice") || name.equals("bob") ? "secret" : null;
  }

  @Override
  protected Principal getPrincipal(String name) {
    return name.equals("bob") ? () -> name : new GenericPrincipal(name, List.of("customer"));
  }
}
