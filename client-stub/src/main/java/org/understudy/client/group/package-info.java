/** What one client knows of a group: its view, its session, its open invocations. */
package org.understudy.client.group;
