/** What an operator sees of replicated sessions: counts through JMX, and health over HTTP. */
package org.understudy.session.management;
