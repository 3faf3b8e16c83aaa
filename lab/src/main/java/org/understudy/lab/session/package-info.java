/**
 * Round trips of requests that change an {@code HttpSession}: replicated by the session manager, beside Tomcat's own DeltaManager and
 * BackupManager, and beside one Tomcat that does not replicate.
 */
package org.understudy.lab.session;
