/** Expressions as written: text, dialect, and the prefixes that give it meaning. They survive storage unchanged. */
package org.understudy.notification.expression;
