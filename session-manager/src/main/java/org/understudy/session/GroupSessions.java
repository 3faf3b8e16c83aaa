package org.understudy.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds sessions of the whole group, for requests that change or end the sessions of others: one login a user, an administrator. A map in
 * the web application knows the sessions of its own replica only.
 *
 * <p>A search shows every session that was stable when it began, and not what the running request has changed. It waits for the group as
 * a read does, and costs time in proportion to the sessions of the group. What a request reads of a session that it has found is a copy,
 * until it changes that session; changes are part of the request's own update. Thread-safe.
 */
public interface GroupSessions {
  /**
   * The sessions of the web application's group.
   *
   * @throws IllegalStateException when its sessions are not replicated
   */
  static GroupSessions of(ServletContext application) {
    GroupSessions sessions = (GroupSessions) application.getAttribute(GroupSessions.class.getName());
    if (sessions == null) {
      throw new IllegalStateException(
          "The sessions of the web application are not replicated. Mark it <distributable/>, and add the Manager element to its"
              + " context.xml.");
    }
    return sessions;
  }

  /**
   * The sessions in which this user has logged in with the container.
   *
   * @param name of the principal
   * @throws IllegalStateException when the group does not answer now
   */
  List<HttpSession> ofUser(String name);

  /**
   * The sessions that have an attribute of this name with this property. Those whose attribute cannot be read are left out, and logged.
   *
   * @param property gets a copy of the attribute
   * @throws IllegalStateException when the group does not answer now
   */
  List<HttpSession> withAttribute(String name, Predicate<Object> property);
}
