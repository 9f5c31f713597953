import type { CSSProperties } from "react";
import { participantColour, type Participant } from "#contract/presence.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./presence.module.css";

const maxShown = 4;
const maxShownCompact = 2;

/** Others on the post; a pen marks those editing. */
export function PresenceAvatars({ participants, compact = false }: { participants: readonly Participant[]; compact?: boolean }) {
  const visible = participants.slice(0, compact ? maxShownCompact : maxShown);
  const more = participants.length - visible.length;
  return (
    <div>
      <p className="visually-hidden" role="status">
        {participants.map(describe).join(". ")}
      </p>
      <Row as="ul" gap={0} nowrap role="list" className={css.avatars} aria-label="Also here">
        {visible.map((person) => (
          <li key={person.userId} style={{ "--colour": person.colour ?? participantColour(person.userId) } as CSSProperties}>
            <Tooltip text={describe(person)}>
              <span className={css.person}>
                <Avatar name={person.fullName} src={person.avatarUrl} />
                <span className="visually-hidden">{person.fullName}</span>
                {person.isEditing && (
                  <span className={css.pen}>
                    <Icon name="pencil" />
                  </span>
                )}
              </span>
            </Tooltip>
          </li>
        ))}
        {more > 0 && (
          <li className={css.more}>
            <Tooltip text={participants.slice(visible.length).map(describe).join(", ")}>
              <span>+{more}</span>
            </Tooltip>
          </li>
        )}
      </Row>
    </div>
  );
}

const describe = ({ fullName, isEditing }: Participant): string => `${fullName} ${isEditing ? "is editing" : "is here"}`;
