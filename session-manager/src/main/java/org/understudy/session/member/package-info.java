/** The replica of a web application's sessions: its settings and its start. */
package org.understudy.session.member;
